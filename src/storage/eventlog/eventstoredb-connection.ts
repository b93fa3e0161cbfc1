import { EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import { isSilence, Silence } from './eventstoredb-failures.ts';
import { connectionString, unreadable } from './eventstoredb-url.ts';

type Channel = object;

/** Members of the client that its public type leaves out. */
interface ClientInternals {
  supports: (method: { path: string }, feature?: string) => Promise<boolean>;
  getChannel: () => Promise<Channel & { close: () => void }>;
  handleError: (client: { getChannel: () => Channel }, error: Error) => Promise<void>;
}

/** Remembers over which channel a call went. */
export interface Call {
  channel: Channel | undefined;
}

/**
 * The client, and what it does not do by itself: where a server takes calls and answers none, as a leader that hangs, the client keeps
 * its channel. Here such a channel is given up, so that the client looks for the leader again, at the other servers first.
 */
export class Connection {
  readonly client: EventStoreDBClient;
  readonly #internals: ClientInternals;
  readonly #givenUp = new WeakSet<Channel>();
  #lost = new AbortController();

  /** @throws ConfigError for a connection string that the client cannot read */
  constructor(url: string) {
    const string = connectionString(url);
    try {
      this.client = EventStoreDBClient.connectionString(string);
    } catch (error) {
      throw unreadable(error);
    }
    this.#internals = this.client as unknown as ClientInternals;
    // The client sends appends over one shared call where the server can (`BatchAppend`). An error there fails all appends
    // of all clients in the process, and a reply that comes after it throws where nothing can catch it. So: a call for each.
    this.#internals.supports = () => Promise.resolve(false);
  }

  /** Aborts when the channel of now is given up: what follows the log over it has to begin anew. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Notes the channel that a call goes over, which is about to begin. */
  begin(): Call {
    const call: Call = { channel: undefined };
    this.#internals.getChannel().then(
      (channel) => (call.channel = channel),
      () => undefined,
    );
    return call;
  }

  /** Gives up the channel of a call that stayed silent. While the client still looks for a leader there is none, and it goes on. */
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

  /** Ends all calls and the channel, within so many milliseconds. */
  async close(deadlineMs: number): Promise<void> {
    const closed = this.client
      .dispose()
      .then(() => this.#internals.getChannel())
      .then((channel) => channel.close());
    await within(deadlineMs, closed).catch(() => {});
  }
}

/** The promise, or Silence when it takes longer. */
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
