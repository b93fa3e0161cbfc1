import { isDiskFull } from '../../../kernel/errors.ts';
import { isLastTry, type ClaimedInboxJob, type InboxQueue } from './queue.ts';
import type { InboxJob } from './inbox-job.ts';

/** The circumstances of one try of a letter. */
export interface InboxJobRun {
  /** Aborts when the process is about to end. */
  signal: AbortSignal;
  /** This is the last time that it is tried. */
  last: boolean;
}

export interface SchedulerOptions {
  queue: InboxQueue;
  /** Carries a letter out. @throws when it may succeed later */
  perform: (letter: InboxJob, run: InboxJobRun) => Promise<void>;
  /** Told of failures of this server; the scheduler goes on. */
  onError: (error: unknown) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** The longest rest after a letter, in milliseconds. */
  longestRest?: number;
}

/** Letters that are carried out at once, besides those that take long; of one host; and all together. */
const QUICK = 8;
const PER_HOST = 4;
const AT_ONCE = 32;
/** Milliseconds after which a letter counts as one that takes long: its server keeps it waiting. */
const SLOW_AFTER = 2_000;
/** How often what waits is looked at, in milliseconds: some comes due, some another process has kept. */
const LOOK_EVERY = 2_000;
/** How often leases are renewed. */
const RENEW_EVERY = 15_000;
const LONGEST_REST = 100;
/** Pause before what met a full disk is tried again. */
const ROOM_PAUSE = 30_000;

/**
 * Has letters carried out, fair by the host that sent them: hosts take turns, one letter each, and one that keeps others waiting gets
 * no more until it has answered. A place that worked for a host rests for as long, so that a flood takes half of the time at most. The
 * letters of one actor keep their order. Nothing is only in memory: what a killed process had taken is
 * taken by the next one, when the lease is over.
 */
export class InboxScheduler {
  readonly #options: Required<SchedulerOptions>;
  readonly #stopping = new AbortController();
  readonly #running = new Map<ClaimedInboxJob, { since: number; done: Promise<void> }>();
  /** Carried out a moment ago: their hosts and actors rest. */
  readonly #resting = new Set<ClaimedInboxJob>();
  /** Carried out, and still in the queue. */
  #done: string[] = [];
  /** The host up to which this round came. */
  #after = '';
  #woken = false;
  #rouse: (() => void) | undefined;
  #looping: Promise<void> | undefined;
  #renewing: NodeJS.Timeout | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = { now: Date.now, longestRest: LONGEST_REST, ...options };
  }

  /** Works until it is stopped. */
  start(): void {
    this.#looping ??= this.#loop();
    this.#renewing ??= setInterval(() => void this.#renew(), RENEW_EVERY);
  }

  /** There is something new to do. */
  wake(): void {
    this.#woken = true;
    this.#rouse?.();
  }

  /** Breaks off what is under way: another process, or the next start, takes it again at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#renewing);
    this.wake();
    await this.#looping;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    await this.#flush();
  }

  async #loop(): Promise<void> {
    const { onError } = this.#options;
    while (!this.#stopping.signal.aborted) {
      this.#woken = false;
      try {
        await this.#flush();
        if (!(await this.#fill()) && !this.#woken) await this.#idle();
      } catch (error) {
        // The database is away.
        if (!this.#stopping.signal.aborted) onError(error);
        await this.#idle();
      }
    }
  }

  /** Until something happens, or it is time to look again. */
  #idle(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#rouse = undefined;
        resolve();
      };
      const timer = setTimeout(done, LOOK_EVERY);
      this.#rouse = done;
      if (this.#woken || this.#stopping.signal.aborted) done();
    });
  }

  /** Takes some letters and begins to carry them out. False when, after all hosts, there was nothing to take. */
  async #fill(): Promise<boolean> {
    const room = this.#room();
    if (room <= 0) return false;
    const { queue, now } = this.#options;
    const after = this.#after;
    const actors = [...this.#running.keys(), ...this.#resting].map(({ actor }) => actor);
    const claimed = await queue.claim({ now: now(), after, hosts: this.#busyHosts(), actors, room });
    // The next time behind the last host, so that all have their turn; or from the first one.
    this.#after = claimed.length < room ? '' : (claimed.at(-1)?.host ?? '');
    for (const each of claimed) this.#begin(each);
    return claimed.length > 0 || after !== '';
  }

  #room(): number {
    const slow = [...this.#running.values()].filter(({ since }) => this.#isSlow(since)).length;
    return Math.min(QUICK - (this.#running.size - slow), AT_ONCE - this.#running.size);
  }

  /** Hosts that have enough under way or at rest, or something that takes long. */
  #busyHosts(): string[] {
    const counts = new Map<string, number>();
    for (const [{ host }, { since }] of this.#running) {
      counts.set(host, (counts.get(host) ?? 0) + (this.#isSlow(since) ? PER_HOST : 1));
    }
    for (const { host } of this.#resting) counts.set(host, (counts.get(host) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= PER_HOST).map(([host]) => host);
  }

  #isSlow(since: number): boolean {
    return this.#options.now() - since > SLOW_AFTER;
  }

  #begin(letter: ClaimedInboxJob): void {
    const since = this.#options.now();
    const done = this.#perform(letter)
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        this.#running.delete(letter);
        this.#rest(letter, this.#options.now() - since);
        this.wake();
      });
    this.#running.set(letter, { since, done });
  }

  #rest(letter: ClaimedInboxJob, worked: number): void {
    this.#resting.add(letter);
    const end = (): void => {
      this.#resting.delete(letter);
      this.wake();
    };
    setTimeout(end, Math.min(worked, this.#options.longestRest)).unref();
  }

  async #perform(letter: ClaimedInboxJob): Promise<void> {
    const { queue, perform, onError, now } = this.#options;
    const { signal } = this.#stopping;
    try {
      await perform(letter, { signal, last: isLastTry(letter.attempts) });
      this.#done.push(letter.id);
    } catch (error) {
      // A process that ends is no failure of the letter, and neither is a full disk.
      if (signal.aborted) return await queue.release(letter, now());
      onError(error);
      if (isDiskFull(error)) await queue.release(letter, now(), ROOM_PAUSE);
      else await queue.retry(letter, now());
    }
  }

  /** Removes what is carried out, together with what became so meanwhile. */
  async #flush(): Promise<void> {
    const ids = this.#done.splice(0);
    if (ids.length === 0) return;
    try {
      await this.#options.queue.remove(ids);
    } catch (error) {
      this.#done.push(...ids);
      throw error;
    }
  }

  async #renew(): Promise<void> {
    const { queue, now, onError } = this.#options;
    const ids = [...this.#running.keys()].map(({ id }) => id);
    if (ids.length === 0) return;
    await queue.renew(ids, now()).catch(onError);
  }
}
