import { isDiskFull } from '#kernel/errors.ts';
import { Places } from '#kernel/places.ts';
import type { InboxJob } from './inbox-job.ts';
import { type ClaimedInboxJob, type InboxQueue, isLastTry } from './queue.ts';

/** One try of a job. */
export interface InboxJobRun {
  /** Aborts when the process shuts down. */
  signal: AbortSignal;
  /** Whether this is the last try. */
  last: boolean;
}

export interface SchedulerOptions {
  queue: InboxQueue;
  /** Processes a job. @throws when a retry may succeed */
  perform: (job: InboxJob, run: InboxJobRun) => Promise<void>;
  /** Receives failures of this server. The scheduler continues. */
  onError: (error: unknown) => void;
  /** Returns milliseconds since 1970. */
  now?: () => number;
  /** The longest rest after a job, in milliseconds. */
  longestRest?: number;
}

/** Limits of concurrent jobs: those that work and are not slow; those of one host; all together. */
const QUICK = 8;
const PER_HOST = 4;
const AT_ONCE = 128;
/** Milliseconds after which a job counts as slow. */
const SLOW_AFTER = 2_000;
/** How often the queue is polled, in milliseconds: retries come due, and other processes add jobs. */
const LOOK_EVERY = 2_000;
/** How often leases are renewed. */
const RENEW_EVERY = 15_000;
const LONGEST_REST = 100;
/** Pause after a job met a full disk, in milliseconds. */
const ROOM_PAUSE = 30_000;

interface RunningJob {
  since: number;
  /** Empty while the job waits for another server. */
  place: Places;
  done: Promise<void>;
}

/**
 * Processes jobs fairly by sending host: hosts take turns, one job each, and a host with a slow job gets no
 * further one until that ends. After a job, its slot rests for as long as the job ran, so a flood takes at
 * most half of the time. The jobs of one actor keep their order. No state is only in memory: when the lease
 * of a killed process expires, another process claims its jobs.
 */
export class InboxScheduler {
  readonly #options: Required<SchedulerOptions>;
  readonly #stopping = new AbortController();
  readonly #running = new Map<ClaimedInboxJob, RunningJob>();
  /** Jobs that ended a moment ago: their hosts and actors rest. */
  readonly #resting = new Set<ClaimedInboxJob>();
  /** Processed jobs that are still in the queue. */
  #done: string[] = [];
  /** The last host visited in this round. */
  #after = '';
  #woken = false;
  #rouse: (() => void) | undefined;
  #looping: Promise<void> | undefined;
  #renewing: NodeJS.Timeout | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = { now: Date.now, longestRest: LONGEST_REST, ...options };
  }

  start(): void {
    this.#looping ??= this.#loop();
    this.#renewing ??= setInterval(() => void this.#renew(), RENEW_EVERY);
  }

  /** Wakes the scheduler, since a job was added. */
  wake(): void {
    this.#woken = true;
    this.#rouse?.();
  }

  /** Aborts running jobs and releases them, so that another process or the next start claims them at once. */
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
        // The database is unavailable.
        if (!this.#stopping.signal.aborted) onError(error);
        await this.#idle();
      }
    }
  }

  /** Waits until it is woken or the next poll is due. */
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

  /** Claims jobs and starts them. Returns false if a full round over all hosts found none. */
  async #fill(): Promise<boolean> {
    const room = this.#room();
    if (room <= 0) return false;
    const { queue, now } = this.#options;
    const after = this.#after;
    const actors = [...this.#running.keys(), ...this.#resting].map(({ actor }) => actor);
    const claimed = await queue.claim({ now: now(), after, hosts: this.#busyHosts(), actors, room });
    // The next round continues after this host, so that every host gets its turn, or starts over.
    this.#after = claimed.length < room ? '' : (claimed.at(-1)?.host ?? '');
    for (const each of claimed) this.#begin(each);
    return claimed.length > 0 || after !== '';
  }

  #room(): number {
    const working = [...this.#running.values()].filter(
      ({ since, place }) => place.free === 0 && !this.#isSlow(since),
    );
    return Math.min(QUICK - working.length, AT_ONCE - this.#running.size);
  }

  /** Returns the hosts with enough running or resting jobs, or with a slow one. */
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

  #begin(job: ClaimedInboxJob): void {
    const since = this.#options.now();
    let isOver = false;
    const onFree = (): void => {
      if (!isOver) this.wake();
    };
    const place = new Places({ running: 1, outside: 1, waiting: 0, onFree });
    const done = place
      .run(() => this.#perform(job).finally(() => (isOver = true)))
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        this.#running.delete(job);
        this.#rest(job, this.#options.now() - since);
        this.wake();
      });
    this.#running.set(job, { since, place, done });
  }

  #rest(job: ClaimedInboxJob, worked: number): void {
    this.#resting.add(job);
    const end = (): void => {
      this.#resting.delete(job);
      this.wake();
    };
    setTimeout(end, Math.min(worked, this.#options.longestRest)).unref();
  }

  async #perform(job: ClaimedInboxJob): Promise<void> {
    const { queue, perform, onError, now } = this.#options;
    const { signal } = this.#stopping;
    try {
      await perform(job, { signal, last: isLastTry(job.attempts) });
      this.#done.push(job.id);
    } catch (error) {
      // Neither a shutdown nor a full disk is a failure of the job.
      if (signal.aborted) return await queue.release(job, now());
      onError(error);
      if (isDiskFull(error)) await queue.release(job, now(), ROOM_PAUSE);
      else await queue.retry(job, now());
    }
  }

  /** Removes processed jobs, with those that end during the removal. */
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
