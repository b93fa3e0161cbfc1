import type { Outcome } from './outcome.ts';
import type { ClaimedDelivery, DeliveryQueue, Tried } from './queue.ts';
import type { Delivery } from './sender.ts';

export interface WorkerOptions {
  queue: DeliveryQueue;
  send: (delivery: Delivery, signal: AbortSignal) => Promise<Outcome>;
  /**
   * Returns the hosts that this server federates with: checked again before sending, because staff may have
   * blocked them since.
   */
  allowed: (hosts: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Called after each attempt. */
  onTried: (outcome: Outcome) => void;
  /** Called with internal errors; the worker continues. */
  onError: (error: unknown) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** In [0, 1). */
  random?: () => number;
}

/** The maximum number of concurrent attempts. */
const AT_ONCE = 32;
/**
 * Milliseconds between two checks of the queue: some deliveries become due, and other processes queue some.
 */
const LOOK_EVERY = 5_000;

/**
 * Sends due deliveries: a bounded number at once, some of each host, none of a host while others of it are
 * being sent. Nothing is only in memory: the next process takes over what a killed process had leased, when
 * the lease ends.
 */
export class DeliveryWorker {
  readonly #options: Required<WorkerOptions>;
  readonly #stopping = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  readonly #busy = new Map<string, number>();
  #tried: Tried[] = [];
  #recording: Promise<void> | undefined;
  /** The last host of this round. */
  #after = '';
  /** Leased deliveries whose attempt was aborted when the worker stopped. */
  readonly #brokenOff: ClaimedDelivery[] = [];
  /** Something has changed since the last check. */
  #woken = false;
  #rouse: (() => void) | undefined;
  #looping: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = { now: Date.now, random: Math.random, ...options };
  }

  /** Sends until it is stopped. */
  start(): void {
    this.#looping ??= this.#loop();
  }

  /** Reports new work. */
  wake(): void {
    this.#woken = true;
    this.#rouse?.();
  }

  /** Aborts the requests in progress: the next worker sends undelivered ones immediately. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#looping;
    await Promise.all(this.#pending);
    await this.#options.queue.release(this.#brokenOff.splice(0), this.#options.now());
  }

  /** Sends everything that can be sent now, and resolves when it is recorded. */
  async drain(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#woken = false;
      // A delivery that ended in the meantime may have made room for another.
      if ((await this.#fill()) || this.#woken) continue;
      if (this.#pending.size === 0) return;
      await this.#idle();
    }
  }

  async #loop(): Promise<void> {
    const { queue, onError } = this.#options;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.drain();
        await this.#idle((await queue.any()) ? LOOK_EVERY : undefined);
      } catch (error) {
        // An outage of the database.
        onError(error);
        await this.#idle(LOOK_EVERY);
      }
    }
  }

  /** Waits until something changes, or for `milliseconds`. */
  #idle(milliseconds?: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#rouse = undefined;
        resolve();
      };
      const timer = milliseconds === undefined ? undefined : setTimeout(done, milliseconds);
      this.#rouse = done;
      if (this.#woken || this.#stopping.signal.aborted) done();
    });
  }

  /** Leases deliveries and starts to send them. Returns false when no host had any. */
  async #fill(): Promise<boolean> {
    const room = AT_ONCE - this.#pending.size;
    if (room <= 0) return false;
    const { queue, now } = this.#options;
    const after = this.#after;
    const claimed = await queue.claim({ now: now(), after, busy: [...this.#busy.keys()], room });
    // Continues after the last host, so that all hosts get their turn; or from the first one.
    this.#after = claimed.length < room ? '' : (claimed.at(-1)?.host ?? '');
    if (claimed.length > 0) {
      const allowed = this.#options.allowed([...new Set(claimed.map(({ host }) => host))]);
      for (const each of claimed) this.#begin(each, allowed);
    }
    return claimed.length > 0 || after !== '';
  }

  #begin(claimed: ClaimedDelivery, allowed: Promise<ReadonlySet<string>>): void {
    const { host } = claimed;
    this.#busy.set(host, (this.#busy.get(host) ?? 0) + 1);
    const working = this.#try(claimed, allowed)
      .catch((error: unknown) => {
        // An internal error. The delivery is leased again when this lease ends.
        if (this.#stopping.signal.aborted) this.#brokenOff.push(claimed);
        else this.#options.onError(error);
      })
      .finally(() => {
        this.#pending.delete(working);
        const left = (this.#busy.get(host) ?? 1) - 1;
        if (left === 0) this.#busy.delete(host);
        else this.#busy.set(host, left);
        this.wake();
      });
    this.#pending.add(working);
  }

  async #try(claimed: ClaimedDelivery, allowed: Promise<ReadonlySet<string>>): Promise<void> {
    const isAllowed = claimed.farewell || (await allowed).has(claimed.host);
    const began = performance.now();
    const outcome: Outcome = isAllowed
      ? await this.#options.send(claimed, this.#stopping.signal)
      : { kind: 'refused', reason: 'is not among those with whom anything is exchanged' };
    this.#options.onTried(outcome);
    this.#tried.push({ claimed, outcome, ...(isAllowed && { ms: performance.now() - began }) });
    await (this.#recording ??= this.#record());
  }

  /** Records together the outcomes that arrive while earlier ones are being recorded. */
  async #record(): Promise<void> {
    const { queue, now, random } = this.#options;
    try {
      while (this.#tried.length > 0) {
        const tried = this.#tried.splice(0);
        await queue.record(tried, { now: now(), random });
      }
    } finally {
      this.#recording = undefined;
    }
  }
}
