import {
  type BaseOptions,
  convertToCommandError,
  EventStoreDBClient,
  UnavailableError,
} from '@eventstore/db-client';
import grpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { isSilence, Silence } from './eventstoredb-failures.ts';
import { nameNoAddresses } from './eventstoredb-tls.ts';
import { connectionString, unreadable } from './eventstoredb-url.ts';
import { decodeRead, type WireResult } from './eventstoredb-wire.ts';
import type { Appended, SharedReply } from './eventstoredb-wire-appends.ts';
import { decodeAlone, decodeShared } from './eventstoredb-wire-appends.ts';

type Channel = object;

/** Members of the client that its public type leaves out. */
interface ClientInternals {
  getChannel: () => Promise<Channel & { close: () => void }>;
  getGRPCClient: (client: typeof grpc.StreamsClient, name: string) => Promise<grpc.StreamsClient>;
  handleError: (client: { getChannel: () => Channel }, error: Error) => Promise<void>;
  /** Asked for once on each channel. */
  capabilities: Promise<{ serverVersion: string }>;
  /** Notices when the call breaks, and when the server names another leader. */
  GRPCStreamCreator: <Stream extends WireRead | SharedCall>(
    client: typeof grpc.StreamsClient,
    name: string,
    creator: (client: grpc.StreamsClient) => Stream,
    cache?: WeakMap<grpc.StreamsClient, Stream>,
  ) => () => Promise<Stream>;
  /** Runs a call, and notices the same when it fails. */
  execute: <Result>(
    client: typeof grpc.StreamsClient,
    name: string,
    action: (client: grpc.StreamsClient) => Promise<Result>,
  ) => Promise<Result>;
  callArguments: (
    options: BaseOptions,
    callOptions?: { deadline: number },
  ) => [Metadata, { deadline: number }];
}

export type WireRead = ReturnType<
  typeof grpc.StreamsClient.prototype.makeServerStreamRequest<Buffer, WireResult>
>;
/** Takes encoded appends, and returns the replies. */
export type SharedCall = ReturnType<
  typeof grpc.StreamsClient.prototype.makeBidiStreamRequest<Buffer, SharedReply>
>;
type Metadata = NonNullable<Parameters<grpc.StreamsClient['read']>[1]>;

const asItIs = (message: Buffer): Buffer => message;
/** The code of gRPC for a call that the server does not know. */
const UNIMPLEMENTED = 12;

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
  readonly #client: EventStoreDBClient;
  readonly #internals: ClientInternals;
  readonly #givenUp = new WeakSet<Channel>();
  /** Open calls, and channels to servers that know no such call. */
  readonly #shared = new WeakMap<grpc.StreamsClient, SharedCall>();
  readonly #unshared = new WeakSet<grpc.StreamsClient>();
  #lost = new AbortController();

  /** @throws ConfigError for a connection string that the client cannot parse */
  constructor(url: string) {
    const string = connectionString(url);
    nameNoAddresses();
    try {
      this.#client = EventStoreDBClient.connectionString(string);
    } catch (error) {
      throw unreadable(error);
    }
    this.#internals = this.#client as unknown as ClientInternals;
  }

  /** Aborts when the current channel is given up. A subscription over it must start again. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Starts a read at the leader. The client's own reads have no filter, and parse JSON that is needed as the
   * text that it was.
   */
  read(request: Buffer): Promise<WireRead> {
    return this.#stream(request, { requiresLeader: true });
  }

  /** Starts a subscription, which any server of a cluster may serve. */
  subscribe(request: Buffer): Promise<WireRead> {
    return this.#stream(request, {});
  }

  #stream(request: Buffer, options: BaseOptions): Promise<WireRead> {
    const { GRPCStreamCreator: create, callArguments } = this.#internals;
    const call = callArguments(options, { deadline: Infinity });
    const { path } = grpc.StreamsService.read;
    return create(grpc.StreamsClient, 'read', (client) =>
      client.makeServerStreamRequest(path, asItIs, decodeRead, request, ...call),
    )();
  }

  /** Sends an append, as encoded messages, to the leader. @throws the errors of the client */
  append(messages: readonly Buffer[], deadlineMs: number): Promise<Appended> {
    const { execute, callArguments } = this.#internals;
    const { path } = grpc.StreamsService.append;
    return execute(grpc.StreamsClient, 'append', (client) => {
      const call = callArguments({ requiresLeader: true, deadline: deadlineMs });
      return new Promise((resolve, reject) => {
        const done = (error: Error | null, appended?: Appended): void => {
          if (appended) resolve(appended);
          else reject(convertToCommandError(error ?? new Error('EventStoreDB answered nothing')));
        };
        const sink = client.makeClientStreamRequest(path, asItIs, decodeAlone, ...call, done);
        sink.on('error', reject);
        for (const message of messages) sink.write(message);
        sink.end();
      });
    });
  }

  /**
   * Returns the open call over the present channel that takes any number of appends, or opens it. The client's own shared call is one
   * for all clients in the process, and a reply to it after an error throws where nothing can catch it.
   * @returns undefined where the server knows no such call
   */
  async sharedAppends(): Promise<SharedCall | undefined> {
    const { getGRPCClient, GRPCStreamCreator: create, callArguments } = this.#internals;
    if (this.#unshared.has(await getGRPCClient(grpc.StreamsClient, 'batchAppend'))) return undefined;
    const { path } = grpc.StreamsService.batchAppend;
    const open = (client: grpc.StreamsClient): SharedCall => {
      const args = callArguments({ requiresLeader: true }, { deadline: Infinity });
      const call = client.makeBidiStreamRequest(path, asItIs, decodeShared, ...args);
      call.on('error', ({ code }: { code?: number }) => {
        if (code === UNIMPLEMENTED) this.#unshared.add(client);
      });
      // The client forgets a call that failed, but none that the server has ended well.
      return call.on('end', () => this.#shared.delete(client));
    };
    return create(grpc.StreamsClient, 'batchAppend', open, this.#shared)();
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
    const closed = this.#client
      .dispose()
      .then(() => this.#internals.getChannel())
      .then((channel) => channel.close());
    await within(deadlineMs, closed).catch(() => {});
  }
}

/** Ends a call. The client forgets it only once all its results are read. */
export function cancelRead(read: WireRead): void {
  read.removeAllListeners('data');
  read.resume();
  // https://github.com/grpc/grpc-node/issues/1652
  setImmediate(() => read.cancel());
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
