import type { Outcome } from './outcome.ts';
import type { ClaimedDelivery, DeliveryQueue, Tried } from './queue.ts';
import type { Delivery } from './sender.ts';

export interface WorkerOptions {
  queue: DeliveryQueue;
  send: (letter: Delivery, signal: AbortSignal) => Promise<Outcome>;
  /** With which of some hosts anything is exchanged: asked again when something goes out, for staff may have blocked them since. */
  allowed: (hosts: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Told of each try. */
  onTried: (outcome: Outcome) => void;
  /** Told of failures of this server; the worker goes on. */
  onError: (error: unknown) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** In [0, 1). */
  random?: () => number;
}

/** On their way at once. */
const AT_ONCE = 32;
/** How often what waits is looked at, in milliseconds: some comes due, some another process has queued. */
const LOOK_EVERY = 5_000;

/**
 * Sends what is due: so many at once, some of each host, none of a host while some are on their way there. Nothing is only in memory:
 * what a killed process had taken is taken by the next one, when the lease is over.
 */
export class DeliveryWorker {
  readonly #options: Required<WorkerOptions>;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  readonly #busy = new Map<string, number>();
  #tried: Tried[] = [];
  #recording: Promise<void> | undefined;
  /** The host up to which this round came. */
  #after = '';
  /** Taken, and broken off when the worker stopped. */
  readonly #brokenOff: ClaimedDelivery[] = [];
  /** Something happened since the last look. */
  #woken = false;
  #rouse: (() => void) | undefined;
  #looping: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = { now: Date.now, random: Math.random, ...options };
  }

  /** Works until it is stopped. */
  start(): void {
    this.#looping ??= this.#loop();
  }

  /** There is something new to do. */
  wake(): void {
    this.#woken = true;
    this.#rouse?.();
  }

  /** Aborts the requests in progress: undelivered ones are sent at once by the next worker. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#looping;
    await Promise.all(this.#underWay);
    await this.#options.queue.release(this.#brokenOff.splice(0), this.#options.now());
  }

  /** Sends everything that can be sent now, and resolves when it is done and written down. */
  async drain(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#woken = false;
      // A delivery that ended meanwhile may have made room for another.
      if ((await this.#fill()) || this.#woken) continue;
      if (this.#underWay.size === 0) return;
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
        // The database is away.
        onError(error);
        await this.#idle(LOOK_EVERY);
      }
    }
  }

  /** Until something happens, or for so many milliseconds. */
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

  /** Takes some and begins to send them. False when, after all hosts, there was nothing to take. */
  async #fill(): Promise<boolean> {
    const room = AT_ONCE - this.#underWay.size;
    if (room <= 0) return false;
    const { queue, now } = this.#options;
    const after = this.#after;
    const claimed = await queue.claim({ now: now(), after, busy: [...this.#busy.keys()], room });
    // The next time behind the last host, so that all have their turn; or from the first one.
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
        // Not the fault of the other server. It is taken again when the lease is over.
        if (this.#stopping.signal.aborted) this.#brokenOff.push(claimed);
        else this.#options.onError(error);
      })
      .finally(() => {
        this.#underWay.delete(working);
        const left = (this.#busy.get(host) ?? 1) - 1;
        if (left === 0) this.#busy.delete(host);
        else this.#busy.set(host, left);
        this.wake();
      });
    this.#underWay.add(working);
  }

  async #try(claimed: ClaimedDelivery, allowed: Promise<ReadonlySet<string>>): Promise<void> {
    const outcome: Outcome =
      claimed.farewell || (await allowed).has(claimed.host)
        ? await this.#options.send(claimed, this.#stopping.signal)
        : { kind: 'refused', reason: 'is not among those with whom anything is exchanged' };
    this.#options.onTried(outcome);
    this.#tried.push({ claimed, outcome });
    await (this.#recording ??= this.#record());
  }

  /** Together what becomes done while earlier ones are written down. */
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
