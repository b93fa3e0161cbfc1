import { Places } from '#kernel/places.ts';
import type { WaitingRoom } from '#kernel/waiting-room.ts';
import type { Outcome } from './outcome.ts';
import type { ClaimedDelivery, DeliveryQueue, Tried, Which } from './queue.ts';
import type { Delivery } from './sender.ts';

export interface WorkerOptions {
  queue: DeliveryQueue;
  /** The room of requests to other servers. */
  room: Pick<WaitingRoom, 'free' | 'freeForSlow'>;
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

/** Deliveries that are signed or recorded at a time. */
const WORKING = 32;
/** Attempts under way, most of which wait for an answer. Requests of readers find room beside them. */
const AT_ONCE: Record<Which, number> = { fresh: 384, rest: 192 };
/** Milliseconds between two rounds over all hosts. */
const BETWEEN_ROUNDS: Record<Which, number> = { fresh: 25, rest: 250 };
/**
 * Milliseconds between two checks of the queue: some deliveries become due, and other processes queue some.
 */
const LOOK_EVERY = 5_000;

/** One of two orders of work, which goes from host to host. */
class Lane {
  readonly which: Which;
  /** The last host of this round. */
  after = '';
  /** Attempts under way. */
  count = 0;
  /** Something has changed since the round began. */
  hasNews = true;
  /** No round begins before it, by `performance.now()`. */
  nextRound = 0;

  constructor(which: Which) {
    this.which = which;
  }

  /** Milliseconds until hosts are visited; undefined when there is no reason. */
  get due(): number | undefined {
    if (this.after !== '') return 0;
    return this.hasNews ? Math.max(0, this.nextRound - performance.now()) : undefined;
  }

  /** Notes a claim, which is the end of the round when it found less than asked for. */
  visited(claimed: readonly ClaimedDelivery[], room: number): void {
    this.count += claimed.length;
    this.after = claimed.length < room ? '' : (claimed.at(-1)?.host ?? '');
    if (this.after === '') this.nextRound = performance.now() + BETWEEN_ROUNDS[this.which];
  }
}

/**
 * Sends due deliveries: a bounded number at once, some of each host, none of a host while others of it are
 * being sent; first attempts to hosts in good standing before the rest. A delivery leaves its place while it
 * waits for the answer. Nothing is only in memory: the next process takes over what a killed process had
 * leased, when the lease ends.
 */
export class DeliveryWorker {
  readonly #options: Required<WorkerOptions>;
  readonly #stopping = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  readonly #busy = new Map<string, number>();
  readonly #lanes = [new Lane('fresh'), new Lane('rest')];
  readonly #places = new Places({
    running: WORKING,
    waiting: Infinity,
    outside: AT_ONCE.fresh,
    onFree: () => this.#continue(),
  });
  #tried: Tried[] = [];
  #recording: Promise<void> | undefined;
  /** Leased deliveries whose attempt was aborted when the worker stopped. */
  readonly #brokenOff: ClaimedDelivery[] = [];
  /** Something has changed since the last check. */
  #woken = false;
  #lookAt = 0;
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
    for (const lane of this.#lanes) lane.hasNews = true;
    this.#continue();
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
    this.#lookAt = 0;
    while (!this.#stopping.signal.aborted) {
      this.#woken = false;
      const next = await this.#fill();
      // A delivery that ended in the meantime may have made room for another.
      if (next === 0 || this.#woken) continue;
      if (next === undefined && this.#pending.size === 0) return;
      await this.#idle(Math.min(next ?? LOOK_EVERY, LOOK_EVERY));
    }
  }

  #continue(): void {
    this.#woken = true;
    this.#rouse?.();
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

  /** Leases deliveries and starts to send them. Returns the milliseconds until more may be found; undefined for none. */
  async #fill(): Promise<number | undefined> {
    if (performance.now() >= this.#lookAt) {
      this.#lookAt = performance.now() + LOOK_EVERY;
      for (const lane of this.#lanes) lane.hasNews = true;
    }
    let next: number | undefined;
    for (const lane of this.#lanes) {
      if (lane.due === 0) await this.#claim(lane);
      // The rest comes when there is nothing fresh.
      if (lane.due === 0 && this.#roomFor(lane) > 0) return 0;
      if (lane.due !== undefined) next = Math.min(next ?? Infinity, lane.due || BETWEEN_ROUNDS[lane.which]);
    }
    return next;
  }

  async #claim(lane: Lane): Promise<void> {
    const room = this.#roomFor(lane);
    if (room <= 0) return;
    const { queue, now, allowed } = this.#options;
    if (lane.after === '') lane.hasNews = false;
    const busy = [...this.#busy.keys()];
    const claimed = await queue.claim({ now: now(), after: lane.after, busy, room, which: lane.which });
    lane.visited(claimed, room);
    if (claimed.length === 0) return;
    const known = allowed([...new Set(claimed.map(({ host }) => host))]);
    for (const each of claimed) this.#begin(each, lane, known);
  }

  #roomFor({ which, count }: Lane): number {
    const { room } = this.#options;
    const inAll = Math.min(this.#places.free, AT_ONCE.fresh - this.#pending.size);
    if (which === 'fresh') return Math.min(inAll, room.free);
    return Math.min(inAll, AT_ONCE.rest - count, room.freeForSlow);
  }

  #begin(claimed: ClaimedDelivery, lane: Lane, allowed: Promise<ReadonlySet<string>>): void {
    const { host } = claimed;
    this.#busy.set(host, (this.#busy.get(host) ?? 0) + 1);
    const working = this.#places
      .run(() => this.#try(claimed, allowed))
      .catch((error: unknown) => {
        // An internal error. The delivery is leased again when this lease ends.
        if (this.#stopping.signal.aborted) this.#brokenOff.push(claimed);
        else this.#options.onError(error);
      })
      .finally(() => {
        this.#pending.delete(working);
        lane.count -= 1;
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
