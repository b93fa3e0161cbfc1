import type { UserContext } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import { holds } from '#mastodon/scopes.ts';
import { type Channel, openChannel } from './channels.ts';
import type { Credential } from './credential.ts';
import type { Feed, Listener, Message, ResumeToken } from './feed.ts';

/** The maximum number of channels of one connection. */
const MAX_CHANNELS = 100;
/** Milliseconds that a client gets to close its side of the connection. */
const FAREWELL = 1_000;

/** The client's transport. */
export type Kind = 'websocket' | 'eventsource';

/**
 * The reason for closing a connection: its token is no longer valid, the server stops, the client reads too
 * slowly, or it should reconnect.
 */
export type Reason = 'unauthorized' | 'shutdown' | 'slow' | 'again' | 'misuse' | 'binary';

/** The wire that messages go out on. */
export interface Wire {
  kind: Kind;
  /** Returns false when so much is waiting that the client cannot keep up. */
  send(channel: Channel, message: Message): boolean;
  /** Sends a heartbeat. @returns as `send` */
  beat(): boolean;
  /** Reports that the missed events are too old, and that the stream continues from this position. */
  tooOld(head: bigint): void;
  /** Announces the end; the connection closes when the client has received that. */
  end(reason: Reason): void;
  /** Drops the connection. */
  destroy(): void;
}

export interface ClientOptions {
  credential: Credential;
  ctx: UserContext;
  wire: Wire;
  feed: Feed;
  onSent: (kind: Kind) => void;
  /** Counts a channel. @returns a function that undoes it @throws RookeryError when there are too many */
  reserveChannel: (client: Client) => () => void;
}

/** A connected client, with its channels. */
export class Client {
  readonly credential: Credential;
  /** In canonical form. */
  readonly ip: string;
  readonly accountId: string;
  readonly tokenId: string;
  readonly role: string | null;
  readonly kind: Kind;
  readonly #options: ClientOptions;
  readonly #listeners = new Map<string, { listener: Listener; release: () => void }>();
  readonly #gone = new AbortController();
  readonly #ended = new AbortController();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.credential = options.credential;
    this.ip = options.ctx.ip;
    this.accountId = options.ctx.viewer.account_id;
    this.tokenId = options.ctx.token.id;
    this.role = options.ctx.viewer.role;
    this.kind = options.wire.kind;
  }

  /** Aborts when the connection ends. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** The names of its channels. */
  get channels(): string[] {
    return [...this.#listeners.values()].map(({ listener }) => listener.channel.name);
  }

  /** Throws RookeryError like `openChannel`. */
  open(name: unknown, parameters: unknown): Promise<Channel> {
    const { ctx } = this.#options;
    const asker = {
      db: ctx.db,
      viewerId: ctx.viewer.account_id,
      may: (scope: string) => holds(ctx.token.scopes, scope),
    };
    return openChannel(name, parameters, asker);
  }

  /**
   * Subscribes to a channel from a place on; replaces the parameters of a channel that it is subscribed to.
   */
  async listen(channel: Channel, place: ResumeToken): Promise<void> {
    const key = keyOf(channel.label);
    const { ctx, wire, feed, onSent, reserveChannel } = this.#options;
    const before = this.#listeners.get(key);
    if (!before && this.#listeners.size >= MAX_CHANNELS) {
      throw new RookeryError('too_many_requests', 'Too many channels on one connection');
    }
    const release = before?.release ?? reserveChannel(this);
    const listener: Listener = {
      ctx,
      channel,
      signal: this.signal,
      send: (message) => {
        if (this.signal.aborted) return;
        onSent(this.kind);
        if (!wire.send(channel, message)) this.close('slow');
      },
      tooOld: (head) => wire.tooOld(head),
    };
    this.#listeners.set(key, { listener, release });
    if (before) feed.remove(before.listener);
    try {
      await feed.add(listener, place);
    } catch (error) {
      this.#leave(key);
      throw error;
    }
  }

  get hearsDevice(): boolean {
    return this.#deviceListeners.length > 0;
  }

  /** Sends a message to the device of the token, without a place in the log. */
  sendToDevice(message: Message): void {
    for (const listener of this.#deviceListeners) listener.send(message);
  }

  get #deviceListeners(): Listener[] {
    return [...this.#listeners.values()]
      .map(({ listener }) => listener)
      .filter(({ channel }) => channel.device);
  }

  leave(label: readonly string[]): void {
    this.#leave(keyOf(label));
  }

  #leave(key: string): void {
    const left = this.#listeners.get(key);
    if (!left) return;
    this.#listeners.delete(key);
    left.release();
    this.#options.feed.remove(left.listener);
  }

  beat(): void {
    if (!this.#options.wire.beat()) this.close('slow');
  }

  close(reason: Reason): void {
    if (this.signal.aborted) return;
    const { wire } = this.#options;
    this.#leaveAll();
    // A slow client would not receive the announcement.
    if (reason === 'slow') return wire.destroy();
    wire.end(reason);
    setTimeout(() => wire.destroy(), FAREWELL).unref();
  }

  /** Resolves once the connection has ended. */
  closed(reason: Reason): Promise<void> {
    this.close(reason);
    const { signal } = this.#ended;
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve());
    });
  }

  /** Called by the wire when the connection has ended. */
  ended(): void {
    this.#leaveAll();
    this.#ended.abort();
  }

  #leaveAll(): void {
    if (this.signal.aborted) return;
    this.#gone.abort();
    for (const key of [...this.#listeners.keys()]) this.#leave(key);
  }
}

const keyOf = (label: readonly string[]): string => JSON.stringify(label);
