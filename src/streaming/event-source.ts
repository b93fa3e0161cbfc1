import type { ServerResponse } from 'node:http';
import type { Channel } from './channels.ts';
import type { Reason, Wire } from './client.ts';
import type { Message } from './feed.ts';
import { placeText } from './place.ts';

/** Bytes that may wait for a client to read them. */
const MAX_UNREAD = 1_048_576;

/**
 * Server-sent events: https://docs.joinmastodon.org/methods/streaming/#http. Each says where in the log it stands, so that a client
 * that comes back with `Last-Event-ID` misses nothing.
 */
export class EventSourceWire implements Wire {
  readonly kind = 'eventsource';
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    this.#res = res;
  }

  /** Open to web clients of any origin, as the REST API, and kept by no cache or proxy. */
  begin(): void {
    this.#res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Accel-Buffering': 'no',
      'Access-Control-Allow-Origin': '*',
    });
    this.#write(':)\n');
  }

  send(_channel: Channel, { event, payload = 'undefined', place }: Message): boolean {
    return this.#write(`event: ${event}\ndata: ${payload}\nid: ${placeText(place)}\n\n`);
  }

  /** An id alone is no event; the client remembers it, and has not missed what was for others. */
  beat(told: bigint): boolean {
    return this.#write(`:thump\nid: ${told}\n\n`);
  }

  tooOld(head: bigint): void {
    this.#write(`event: resync\ndata: {"from":"${head}"}\nid: ${head}\n\n`);
  }

  end(_reason: Reason): void {
    this.#res.end();
  }

  destroy(): void {
    this.#res.destroy();
  }

  #write(text: string): boolean {
    if (this.#res.writableEnded || this.#res.destroyed) return true;
    this.#res.write(text);
    return this.#res.writableLength <= MAX_UNREAD;
  }
}
