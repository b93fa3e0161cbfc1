import { LRUCache } from 'lru-cache';
import { federationAllowedWith } from '../../../../queries/federation/index.ts';
import type { RemoteAccounts } from '../../../adapters/caches/remote-accounts.ts';
import type { Instance } from '../../../kernel/context.ts';
import { atMost } from '../../../kernel/lru.ts';
import type { Db } from '../../../kernel/read.ts';
import type { Deliveries } from '../../../kernel/services/federation.ts';
import type { HttpClient } from '../../../kernel/services/http-client.ts';
import type { ActorKeys } from '../actor-keys.ts';
import type { SignatureSchemes } from '../signatures/schemes.ts';
import type { RequestSigner } from '../signatures/sign.ts';
import type { Outcome } from './outcome.ts';
import { DeliveryQueue } from './queue.ts';
import type { DeliveryWorker } from './worker.ts';

/** How often what another process has left behind is looked for, in milliseconds. */
const LOOK_EVERY = 30_000;
/** A host that says something again is up already: asked once a minute at most. */
const MINUTE = 60_000;
const SECOND = 1_000;

export interface DeliveriesOptions {
  db: Db;
  http: HttpClient;
  instance: Instance;
  keys: ActorKeys;
  /** Signs in the name of the server. */
  instanceSigner: () => Promise<RequestSigner>;
  schemes: SignatureSchemes;
  remoteAccounts: Pick<RemoteAccounts, 'none' | 'somebody'>;
  receiptDays: number;
  leaseSeconds: number;
  onError: (error: unknown) => void;
}

export interface DeliveryService extends Deliveries {
  /** Begins to send, in a process that has the role for it. */
  start(): Promise<void>;
  /** Releases the deliveries in progress. */
  stop(): Promise<void>;
  /** Tries of this process, by what became of them. */
  tries: Readonly<Record<Outcome['kind'], number>>;
}

/** Stores deliveries in the database. The sender is loaded when there is something to send. */
export function createDeliveries(options: DeliveriesOptions): DeliveryService {
  const { db, remoteAccounts, receiptDays, leaseSeconds, onError } = options;
  const queue = new DeliveryQueue(db, leaseSeconds);
  const tries = { delivered: 0, refused: 0, failed: 0 };
  const heard = new LRUCache<string, true>({ ...atMost(10_000), ttl: MINUTE });
  let opening: Promise<DeliveryWorker> | undefined;
  let working = false;
  let looking: NodeJS.Timeout | undefined;

  const open = async (): Promise<DeliveryWorker> => {
    const worker = await openWorker(options, queue, ({ kind }) => (tries[kind] += 1));
    worker.start();
    return worker;
  };
  const wake = (): void => {
    if (!working) return;
    opening ??= open();
    opening.then(
      (worker) => worker.wake(),
      (error: unknown) => {
        opening = undefined;
        onError(error);
      },
    );
  };
  const look = async (): Promise<void> => {
    if (await queue.any()) wake();
  };

  return {
    get none() {
      return remoteAccounts.none;
    },
    receiptDays,
    tries,
    somebody: () => remoteAccounts.somebody(),
    async queue(activity, inboxes) {
      await queue.add(activity, inboxes, Date.now());
      if (inboxes.length === 0) return;
      if (activity.after === undefined) wake();
      else setTimeout(wake, activity.after * SECOND).unref();
    },
    cancel: (statusId) => queue.cancel(statusId),
    async heardFrom(host) {
      if (heard.has(host)) return;
      heard.set(host, true);
      if (await queue.heardFrom(host, Date.now())) wake();
    },
    async start() {
      working = true;
      await look();
      looking = setInterval(() => void look().catch(onError), LOOK_EVERY);
    },
    async stop() {
      working = false;
      clearInterval(looking);
      await (await opening?.catch(() => undefined))?.stop();
      opening = undefined;
    },
  };
}

async function openWorker(
  { db, http, instance, keys, instanceSigner, schemes, onError }: DeliveriesOptions,
  queue: DeliveryQueue,
  onTried: (outcome: Outcome) => void,
): Promise<DeliveryWorker> {
  const [{ DeliveryWorker: Worker }, { Sender }, { FollowersSynchronization }] = await Promise.all([
    import('./worker.ts'),
    import('./sender.ts'),
    import('./synchronization.ts'),
  ]);
  const synchronization = new FollowersSynchronization(db);
  const sender = new Sender({ http, keys, schemes, synchronization, instanceSigner: await instanceSigner() });
  return new Worker({
    queue,
    onTried,
    onError,
    send: (letter, signal) => sender.send(letter, signal),
    allowed: (hosts) => federationAllowedWith({ db, instance }, hosts),
  });
}
