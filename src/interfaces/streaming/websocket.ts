import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { memoizeAsync } from '#kernel/memoize-async.ts';
import { errorReply } from '../http/errors.ts';
import { type Channel, labelOf } from './channels.ts';
import type { Client, Reason, Wire } from './client.ts';
import type { Message, ResumeToken } from './feed.ts';

/** The maximum bytes of a client's message. */
const MAX_MESSAGE = 16_384;
/** The maximum number of a client's messages that wait for an answer. */
const MAX_WAITING = 200;
/** The maximum bytes that wait for a client to read them. */
const MAX_UNREAD = 1_048_576;

/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const CLOSINGS: Record<Reason, [code: number, reason: string]> = {
  unauthorized: [1008, 'The access token is no longer valid'],
  binary: [1003, 'Send text, not binary data'],
  misuse: [1008, 'Too many messages wait for an answer'],
  slow: [1008, 'Too many events wait to be read'],
  shutdown: [1001, 'The server stops; connect again later'],
  again: [1012, 'Connect again'],
};

/** Created with the first connection: idle servers do without the package. */
const webSocketServer = memoizeAsync(async () => {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE,
    perMessageDeflate: false,
    clientTracking: false,
  });
});

/**
 * Turns a connection into a WebSocket, or refuses the handshake. `onOpen` is called before anything is read
 * from it.
 */
export async function acceptWebSocket(
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onOpen: (socket: WebSocket) => void,
): Promise<void> {
  const server = await webSocketServer();
  if (!socket.destroyed) server.handleUpgrade(req, socket, head, onOpen);
}

/** Messages in the form of https://docs.joinmastodon.org/methods/streaming/#websocket. */
export class WebSocketWire implements Wire {
  readonly kind = 'websocket';
  readonly #socket: WebSocket;
  #alive = true;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('pong', () => (this.#alive = true));
  }

  send({ label }: Channel, { event, payload }: Message): boolean {
    return this.#write({ stream: label, event, ...(payload === undefined ? {} : { payload }) });
  }

  beat(): boolean {
    if (!this.#alive) return false;
    this.#alive = false;
    this.#socket.ping();
    return true;
  }

  /** Only server-sent events resume, so only their clients can be too late. */
  tooOld(): void {}

  /** Sends the error of a client's message. */
  fail(error: unknown): void {
    const { status, body } = errorReply(error);
    this.#write({ error: body.error, status });
  }

  /** Reports that a channel could not be unsubscribed, with Mastodon's text. */
  refuseLeaving(): void {
    this.#write({ error: 'Error unsubscribing from channel' });
  }

  end(reason: Reason): void {
    this.#socket.close(...CLOSINGS[reason]);
  }

  destroy(): void {
    this.#socket.terminate();
  }

  #write(message: unknown): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return true;
    this.#socket.send(JSON.stringify(message));
    return this.#socket.bufferedAmount <= MAX_UNREAD;
  }
}

/**
 * Handles a client's messages, one after the other. `{"type":"subscribe","stream":"hashtag","tag":"foo"}`;
 * invalid JSON and any other type are ignored, as in Mastodon.
 */
export class Requests {
  readonly #client: Client;
  readonly #wire: WebSocketWire;
  readonly #here: () => Promise<ResumeToken>;
  readonly #onError: (error: unknown) => void;
  #waiting = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(
    client: Client,
    wire: WebSocketWire,
    options: { here: () => Promise<ResumeToken>; onError: (error: unknown) => void },
  ) {
    this.#client = client;
    this.#wire = wire;
    this.#here = options.here;
    this.#onError = options.onError;
  }

  take(data: RawData, isBinary: boolean): void {
    const message = isBinary ? undefined : parse(data);
    if (isBinary) return this.#client.close('binary');
    if (this.#waiting >= MAX_WAITING) return this.#client.close('misuse');
    if (message?.['type'] === 'subscribe') {
      this.do(async () => this.subscribe(message['stream'], message, await this.#here()));
    } else if (message?.['type'] === 'unsubscribe') {
      this.do(() => {
        this.#leave(message);
        return Promise.resolve();
      });
    }
  }

  #leave(message: Record<string, unknown>): void {
    try {
      this.#client.leave(labelOf(firstOf(message['stream']), message));
    } catch {
      this.#wire.refuseLeaving();
    }
  }

  async subscribe(stream: unknown, parameters: unknown, place: ResumeToken): Promise<void> {
    await this.#client.listen(await this.#client.open(firstOf(stream), parameters), place);
  }

  /** Runs after earlier messages. A failure is reported to the client. */
  do(work: () => Promise<void>): void {
    this.#waiting += 1;
    this.#work = this.#work
      .then(() => (this.#client.signal.aborted ? undefined : work()))
      .catch((error: unknown) => {
        if (errorReply(error).status >= 500) this.#onError(error);
        this.#wire.fail(error);
      })
      .finally(() => (this.#waiting -= 1));
  }
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : value);

function parse(data: RawData): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse((data as Buffer).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
