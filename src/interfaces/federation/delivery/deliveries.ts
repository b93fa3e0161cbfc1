import { LRUCache } from 'lru-cache';
import type { RemoteAccounts } from '#adapters/caches/remote-accounts.ts';
import type { Instance } from '#kernel/context.ts';
import { atMost } from '#kernel/lru.ts';
import type { Db } from '#kernel/read.ts';
import type { Deliveries } from '#kernel/services/federation.ts';
import type { HttpClient } from '#kernel/services/http-client.ts';
import type { WaitingRoom } from '#kernel/waiting-room.ts';
import { federationAllowedWith } from '#queries/federation/index.ts';
import type { ActorKeys } from '../actor-keys.ts';
import type { SignatureSchemes } from '../signatures/schemes.ts';
import type { RequestSigner } from '../signatures/sign.ts';
import { giveUpHost, retryHost } from './by-hand.ts';
import type { Outcome } from './outcome.ts';
import { DeliveryQueue } from './queue.ts';
import type { DeliveryWorker } from './worker.ts';

/** Milliseconds between two checks for deliveries that another process has left behind. */
const LOOK_EVERY = 30_000;
/** A host that sends something is up: checked at most once a minute. */
const MINUTE = 60_000;
const SECOND = 1_000;

export interface DeliveriesOptions {
  db: Db;
  http: HttpClient;
  /** The requests of `http` that are under way. */
  room: WaitingRoom;
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
  /** Starts sending, in a process with the role for it. */
  start(): Promise<void>;
  /** Releases the deliveries in progress. */
  stop(): Promise<void>;
  /** Attempts of this process, by outcome. */
  tries: Readonly<Record<Outcome['kind'], number>>;
}

/** Stores deliveries in the database. The sender is loaded when there is something to send. */
export const createDeliveries = (options: DeliveriesOptions): DeliveryService =>
  new StoredDeliveries(options);

class StoredDeliveries implements DeliveryService {
  readonly receiptDays: number;
  readonly tries = { delivered: 0, refused: 0, failed: 0 };
  readonly #options: DeliveriesOptions;
  readonly #queue: DeliveryQueue;
  readonly #heard = new LRUCache<string, true>({ ...atMost(10_000), ttl: MINUTE });
  #worker: Promise<DeliveryWorker> | undefined;
  #isStarted = false;
  #polling: NodeJS.Timeout | undefined;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.receiptDays = options.receiptDays;
    this.#queue = new DeliveryQueue(options.db, options.leaseSeconds);
  }

  get none(): boolean {
    return this.#options.remoteAccounts.none;
  }

  somebody = (): void => this.#options.remoteAccounts.somebody();

  queue: DeliveryService['queue'] = async (activity, inboxes) => {
    await this.#queue.add(activity, inboxes, Date.now());
    if (inboxes.length === 0) return;
    if (activity.after === undefined) this.#wake();
    else setTimeout(() => this.#wake(), activity.after * SECOND).unref();
  };

  cancel: DeliveryService['cancel'] = (statusId) => this.#queue.cancel(statusId);

  heardFrom: DeliveryService['heardFrom'] = async (host) => {
    if (this.#heard.has(host)) return;
    this.#heard.set(host, true);
    if (await this.#queue.heardFrom(host, Date.now())) this.#wake();
  };

  retryHost: DeliveryService['retryHost'] = async (host) => {
    await retryHost(this.#options.db, host);
    this.#wake();
  };

  giveUp: DeliveryService['giveUp'] = (host) => giveUpHost(this.#options.db, host);

  start = async (): Promise<void> => {
    this.#isStarted = true;
    await this.#poll();
    this.#polling = setInterval(() => void this.#poll().catch(this.#options.onError), LOOK_EVERY);
  };

  stop = async (): Promise<void> => {
    this.#isStarted = false;
    clearInterval(this.#polling);
    await (await this.#worker?.catch(() => undefined))?.stop();
    this.#worker = undefined;
  };

  async #poll(): Promise<void> {
    if (await this.#queue.any()) this.#wake();
  }

  #wake(): void {
    if (!this.#isStarted) return;
    this.#worker ??= this.#openWorker();
    this.#worker.then(
      (worker) => worker.wake(),
      (error: unknown) => {
        this.#worker = undefined;
        this.#options.onError(error);
      },
    );
  }

  async #openWorker(): Promise<DeliveryWorker> {
    const worker = await openWorker(this.#options, this.#queue, ({ kind }) => (this.tries[kind] += 1));
    worker.start();
    return worker;
  }
}

async function openWorker(
  { db, http, room, instance, keys, instanceSigner, schemes, onError }: DeliveriesOptions,
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
    room,
    onTried,
    onError,
    send: (delivery, signal) => sender.send(delivery, signal),
    allowed: (hosts) => federationAllowedWith({ db, instance }, hosts),
  });
}
