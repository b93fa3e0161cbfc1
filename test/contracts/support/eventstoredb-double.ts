import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featuresMessages from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import grpc from '@grpc/grpc-js';
import { freePort } from '../../support/free-port.ts';
import { type Behaviour, streamsOf } from './eventstoredb-double-calls.ts';
import { DoubleLog } from './eventstoredb-double-log.ts';
import { type Fate, sharedAppends } from './eventstoredb-double-shared-appends.ts';

export interface EventStoreDbDouble {
  url: string;
  /** The log, which survives `kill`. */
  log: DoubleLog;
  /** Closes every connection and refuses new ones. The log stays. */
  kill(): Promise<void>;
  /** Accepts connections again at the same address. */
  restart(): Promise<void>;
  /**
   * Makes the server store the next append and stop before it answers. `lost` resolves when that has
   * happened.
   */
  loseNextAnswer(): void;
  lost(): Promise<void>;
  /** From now on, accepts calls but does not answer them. */
  stall(): void;
  /** From now on, looks so many milliseconds for the events of a read with a filter. */
  slowFilter(milliseconds: number): void;
  /** From now on, sends nothing more to the subscriptions that are open. New ones work. */
  silenceSubscriptions(): void;
  /** The number of subscriptions that are open. */
  subscriptions(): number;
  /** The number of events that were written to subscriptions. */
  sentToSubscriptions(): number;
  /** The number of events that were written to other reads. */
  read(): number;
  /** The number of reads, without subscriptions. */
  reads(): number;
  /** The numbers of appends that came in calls of their own, and in shared ones. */
  appends(): { alone: number; shared: number };
  /** Decides what becomes of the next append to a stream on a shared call. */
  decide(stream: string, fate: Fate): void;
}

export interface DoubleOptions {
  /** Reports an invalid position like servers before version 24.2. */
  oldWording?: boolean;
  /** A PEM certificate and its key. With them the server uses TLS. */
  tls?: { certificate: string; key: string };
  /** The password of the user `admin`. Other callers are refused. */
  password?: string;
  /** Knows the call that takes any number of appends. Default true. */
  knowsSharedAppends?: boolean;
}

export const DOUBLE_VERSION = '24.10.4';

const tellVersion: grpc.handleUnaryCall<unknown, featuresMessages.SupportedMethods> = (_call, answer) => {
  answer(null, new featuresMessages.SupportedMethods().setEventStoreServerVersion(DOUBLE_VERSION));
};

/**
 * Starts an EventStoreDB in this process: the gRPC calls for streams and `$all` over a real socket, with a
 * log in memory. The answers follow the source of the server (`Streams.Append.cs`, `Streams.Read.cs`,
 * `IndexWriter.cs`).
 */
export async function startEventStoreDbDouble({
  oldWording = false,
  tls,
  password,
  knowsSharedAppends = true,
}: DoubleOptions = {}): Promise<EventStoreDbDouble> {
  const log = new DoubleLog();
  const sent = { subscription: 0, read: 0 };
  const appends = { alone: 0, shared: 0 };
  const fates = new Map<string, Fate>();
  let reads = 0;
  let subscriptions = 0;
  let losing: (() => void) | undefined;
  let lost = Promise.resolve();
  let server = new grpc.Server();
  const behaviour: Behaviour = {
    log,
    stalled: false,
    oldWording,
    filterMs: 0,
    authorization:
      password === undefined ? undefined : `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
    silences: 0,
    onSubscription: (change) => (subscriptions += change),
    onSent: (kind) => (sent[kind] += 1),
    onRead: () => (reads += 1),
    onStored: () => {
      if (!losing) return true;
      server.forceShutdown();
      losing();
      losing = undefined;
      return false;
    },
    onAppend: (call) => (appends[call] += 1),
    fateOf: (stream) => {
      const fate = fates.get(stream);
      fates.delete(stream);
      return fate;
    },
    leader: () => undefined,
  };
  const credentials = tls
    ? grpc.ServerCredentials.createSsl(null, [
        { cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.key) },
      ])
    : grpc.ServerCredentials.createInsecure();

  const listen = (port: number): Promise<number> => {
    server = new grpc.Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
    server.addService(streamsGrpc.StreamsService, {
      ...streamsOf(behaviour),
      ...(knowsSharedAppends && { batchAppend: sharedAppends(behaviour) }),
    });
    server.addService(featuresGrpc.ServerFeaturesService, { getSupportedMethods: tellVersion });
    return new Promise((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
  };

  const port = await listen(await freePort());
  return {
    url: `esdb://127.0.0.1:${port}?tls=${tls !== undefined}`,
    log,
    kill() {
      server.forceShutdown();
      return Promise.resolve();
    },
    async restart() {
      await listen(port);
    },
    loseNextAnswer() {
      lost = new Promise((resolve) => (losing = resolve));
    },
    lost: () => lost,
    stall() {
      behaviour.stalled = true;
    },
    slowFilter(milliseconds) {
      behaviour.filterMs = milliseconds;
    },
    silenceSubscriptions() {
      behaviour.silences += 1;
    },
    subscriptions: () => subscriptions,
    sentToSubscriptions: () => sent.subscription,
    read: () => sent.read,
    reads: () => reads,
    appends: () => ({ ...appends }),
    decide(stream, fate) {
      fates.set(stream, fate);
    },
  };
}
