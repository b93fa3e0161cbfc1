import type { ServerResponse } from 'node:http';
import type { Channel } from './channels.ts';
import type { Reason, Wire } from './client.ts';
import type { Message } from './feed.ts';
import { resumeTokenText } from './resume-token.ts';

/** The maximum bytes that wait for a slow client. */
const MAX_UNREAD = 1_048_576;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Accel-Buffering': 'no',
};

/**
 * Server-sent events: https://docs.joinmastodon.org/methods/streaming/#http. The id of an event is its place
 * in the log, so a client that reconnects with `Last-Event-ID` misses nothing. Only clients that ask for ids get them:
 * those that know Mastodon alone expect two lines for each event, and some fail at a third one.
 */
export class EventSourceWire implements Wire {
  readonly kind = 'eventsource';
  protected readonly res: ServerResponse;

  readonly #hasIds: boolean;

  constructor(res: ServerResponse, { hasIds = false } = {}) {
    this.res = res;
    this.#hasIds = hasIds;
  }

  /** Readable by web clients of any origin, like the REST API, and cached nowhere. */
  begin(): void {
    this.res.writeHead(200, { ...HEADERS, 'Access-Control-Allow-Origin': '*' });
    this.write(':)\n');
  }

  send(_channel: Channel, { event, payload = 'undefined', place }: Message): boolean {
    const id = place && this.#hasIds ? `id: ${resumeTokenText(place)}\n` : '';
    return this.write(`${id}event: ${event}\ndata: ${payload}\n\n`);
  }

  /**
   * Sends a comment without a blank line: Mastodon.py takes each blank line as the end of an event, and fails
   * when the event has no name.
   */
  beat(): boolean {
    return this.write(':thump\n');
  }

  tooOld(head: bigint): void {
    this.write(`id: ${head}\nevent: resync\ndata: {"from":"${head}"}\n\n`);
  }

  end(_reason: Reason): void {
    this.res.end();
  }

  destroy(): void {
    this.res.destroy();
  }

  protected write(text: string): boolean {
    if (this.res.writableEnded || this.res.destroyed) return true;
    this.res.write(text);
    return this.res.writableLength <= MAX_UNREAD;
  }
}

/**
 * The streams of one page of the web client, together on one connection, because browsers open few. A message
 * names its stream and has no id: the page looks for what it missed when it reconnects.
 */
export class PageWire extends EventSourceWire {
  /** Readable by this origin alone. */
  override begin(): void {
    this.res.writeHead(200, HEADERS);
    this.write(':)\n\n');
  }

  override send({ label }: Channel, { event, payload }: Message): boolean {
    return this.write(`data: ${JSON.stringify({ stream: label, event, payload })}\n\n`);
  }

  override tooOld(): void {}
}
