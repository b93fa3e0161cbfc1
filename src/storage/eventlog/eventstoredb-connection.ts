import { EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import { isSilence, Silence } from './eventstoredb-failures.ts';
import { connectionString, unreadable } from './eventstoredb-url.ts';

type Channel = object;

/** Members of the client that its public type leaves out. */
interface ClientInternals {
  supports: (method: { path: string }, feature?: string) => Promise<boolean>;
  getChannel: () => Promise<Channel & { close: () => void }>;
  handleError: (client: { getChannel: () => Channel }, error: Error) => Promise<void>;
  /** Asked for once on each channel. */
  capabilities: Promise<{ serverVersion: string }>;
}

/** Remembers the channel of a call. */
export interface Call {
  channel: Channel | undefined;
}

/**
 * The client, with one addition. When a server accepts calls and answers none, such as a leader that hangs,
 * the client keeps its channel. This class gives up such a channel, so that the client looks for the leader
 * again, at the other servers first.
 */
export class Connection {
  readonly client: EventStoreDBClient;
  readonly #internals: ClientInternals;
  readonly #givenUp = new WeakSet<Channel>();
  #lost = new AbortController();

  /** @throws ConfigError for a connection string that the client cannot parse */
  constructor(url: string) {
    const string = connectionString(url);
    try {
      this.client = EventStoreDBClient.connectionString(string);
    } catch (error) {
      throw unreadable(error);
    }
    this.#internals = this.client as unknown as ClientInternals;
    // Where the server supports it (`BatchAppend`), the client sends all appends over one shared call. An
    // error there fails all appends of all clients in the process, and a later reply throws where nothing can
    // catch it. So each append is a call of its own.
    this.#internals.supports = () => Promise.resolve(false);
  }

  /** Aborts when the current channel is given up. A subscription over it must start again. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Returns the version of the server, `unknown` where it does not tell. */
  async version(): Promise<string> {
    return (await this.#internals.capabilities).serverVersion;
  }

  /** Notes the channel of a call that is about to begin. */
  begin(): Call {
    const call: Call = { channel: undefined };
    this.#internals.getChannel().then(
      (channel) => (call.channel = channel),
      () => undefined,
    );
    return call;
  }

  /**
   * Gives up the channel of a call that stayed silent. While the client looks for a leader it has no channel,
   * and it continues.
   */
  async failed({ channel }: Call, error: unknown): Promise<void> {
    if (!isSilence(error) || channel === undefined || this.#givenUp.has(channel)) return;
    this.#givenUp.add(channel);
    await this.#internals.handleError(
      { getChannel: () => channel },
      new UnavailableError(undefined, 'The server is silent'),
    );
    this.#lost.abort();
    this.#lost = new AbortController();
  }

  /** Ends all calls and the channel within so many milliseconds. */
  async close(deadlineMs: number): Promise<void> {
    const closed = this.client
      .dispose()
      .then(() => this.#internals.getChannel())
      .then((channel) => channel.close());
    await within(deadlineMs, closed).catch(() => {});
  }
}

/** Returns the result, or Silence when it takes longer. */
export async function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Silence(milliseconds)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
