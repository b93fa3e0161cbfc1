import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import grpc from '@grpc/grpc-js';
import { freePort } from '../../support/free-port.ts';
import { streamsOf, type Behaviour } from './eventstoredb-double-calls.ts';
import { DoubleLog } from './eventstoredb-double-log.ts';

export interface EventStoreDbDouble {
  url: string;
  /** The log on its disk. */
  log: DoubleLog;
  /** Drops every connection and refuses new ones. The log stays, as it does on a disk. */
  kill(): Promise<void>;
  /** Takes connections again, at the same address. */
  restart(): Promise<void>;
  /** Stores the next append and is killed before it answers. `lost` resolves when that has happened. */
  loseNextAnswer(): void;
  lost(): Promise<void>;
  /** From now on takes calls and never answers. */
  stall(): void;
  /** How many events all subscriptions together were given to send. */
  sentToSubscriptions(): number;
  /** How many events all other reads were sent. */
  read(): number;
}

export interface DoubleOptions {
  /** Words an invalid position as servers before 24.2 do. */
  oldWording?: boolean;
  /** A PEM certificate and its key: speaks TLS. */
  tls?: { certificate: string; key: string };
  /** Refuses callers that do not sign in as `admin` with it. */
  password?: string;
}

/**
 * An EventStoreDB in this process: the gRPC calls that the client makes for streams and `$all`, over a real socket, with a
 * log in memory. Its answers follow the server's source (`Streams.Append.cs`, `Streams.Read.cs`, `IndexWriter.cs`).
 */
export async function startEventStoreDbDouble({
  oldWording = false,
  tls,
  password,
}: DoubleOptions = {}): Promise<EventStoreDbDouble> {
  const log = new DoubleLog();
  const sent = { subscription: 0, read: 0 };
  let losing: (() => void) | undefined;
  let lost = Promise.resolve();
  let server = new grpc.Server();
  const behaviour: Behaviour = {
    log,
    stalled: false,
    oldWording,
    authorization:
      password === undefined ? undefined : `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
    onSent: (kind) => (sent[kind] += 1),
    onStored: () => {
      if (!losing) return true;
      server.forceShutdown();
      losing();
      losing = undefined;
      return false;
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
    server.addService(streamsGrpc.StreamsService, streamsOf(behaviour));
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
    sentToSubscriptions: () => sent.subscription,
    read: () => sent.read,
  };
}
