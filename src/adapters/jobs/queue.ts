import { randomUUID } from 'node:crypto';
import PgBoss from 'pg-boss';
import { closeAll } from '#kernel/close-all.ts';
import { isDiskFull } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/event.ts';
import { pause } from '#kernel/pause.ts';
import { Places } from '#kernel/places.ts';
import type { JobOptions } from '#kernel/services/jobs.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { LOCKS } from '#storage/postgres/locks.ts';
import type { JobHandler, JobPlaces } from './handler.ts';

/** The queue behind `JobService`. */
export interface JobQueue {
  enqueue(name: string, data: JsonObject, options: JobOptions): Promise<void>;
  waiting(name: string): Promise<number>;
  /** Once per name; a repeat changes nothing. */
  work(name: string, handler: JobHandler, places: JobPlaces): void;
  close(): Promise<void>;
}

/** Milliseconds, except where noted. */
export interface JobTimings {
  /** How often an idle worker looks for jobs of other processes. */
  poll: number;
  /** How often a running job shows that it is alive. */
  heartbeat: number;
  /** Seconds without a sign of life after which a job is taken from its dead process. */
  expireSeconds: number;
  /** Seconds before a failed job is retried, doubled each time. */
  retrySeconds: number;
  /** How often the queue looks for dead jobs. */
  maintenance: number;
  /** Before the retry of a job that met a full disk. */
  roomPause: number;
}
const TIMINGS: JobTimings = {
  poll: 2_000,
  heartbeat: 10_000,
  expireSeconds: 45,
  retrySeconds: 2,
  maintenance: 15_000,
  roomPause: 30_000,
};
const RETRIES = 4;

/** The work of one name in this process. */
interface Worker {
  /** Aborted, and replaced, when a job was enqueued here. */
  wake: AbortController;
  places: Places;
  /** The loop that begins jobs. */
  loop: Promise<void>;
  /** Each ends with its job. */
  running: Set<Promise<void>>;
}

const SCHEMA = 'jobs';
const ALIVE = `update ${SCHEMA}.job set started_on = now() where name = $1 and id = $2 and state = 'active'`;
/** Returns a job without counting the try. */
const RELEASE = `update ${SCHEMA}.job set state = 'retry', started_on = null
  where name = $1 and id = $2 and state = 'active'`;

/** Counts the unfinished jobs of one owner. */
const WAITING_OF = `select count(*)::int as count from ${SCHEMA}.job
  where name = $1 and state in ('created', 'retry', 'active') and data ->> 'owner' = $2`;

interface QueueOptions {
  url: string;
  onError: (error: unknown, job: { name: string; id?: string }) => void;
  timings?: JobTimings | undefined;
}

/** Opens the queue on at most two connections. Creates its schema if it is missing. */
export async function openJobQueue(options: QueueOptions): Promise<JobQueue> {
  const queue = new BossQueue(options);
  await queue.start();
  return queue;
}

/** The queue on pg-boss, which keeps the jobs; its jobs run in loops of this class. */
class BossQueue implements JobQueue {
  readonly #db: Database;
  readonly #boss: PgBoss;
  readonly #onError: QueueOptions['onError'];
  readonly #timings: JobTimings;
  readonly #stopping = new AbortController();
  readonly #queues = new Map<string, Promise<void>>();
  readonly #workers = new Map<string, Worker>();
  /**
   * Creates one queue after the other, also across processes: two concurrent creations would block each
   * other.
   */
  #creating: Promise<unknown> = Promise.resolve();
  #maintenance: NodeJS.Timeout | undefined;

  constructor({ url, onError, timings = TIMINGS }: QueueOptions) {
    const db = openDatabase({ url, max: 2, applicationName: 'rookery jobs' });
    this.#db = db;
    this.#onError = onError;
    this.#timings = timings;
    this.#boss = new PgBoss({
      db: { executeSql: async (text, values) => ({ rows: await db.query(text, values) }) },
      schema: SCHEMA,
      schedule: false,
      supervise: false,
    });
    this.#boss.on('error', (error) => onError(error, { name: SCHEMA }));
  }

  async start(): Promise<void> {
    await this.#boss.start();
  }

  async enqueue(name: string, data: JsonObject, options: JobOptions): Promise<void> {
    const { singletonKey = randomUUID(), after = 0, owner, priority } = options;
    await this.#ensureQueue(name);
    // The n-th job of an owner comes after the first n - 1 jobs of every other owner.
    const turn = priority ?? (owner === undefined ? 0 : -(await this.#waitingOf(name, owner)));
    await this.#boss.send(name, owner === undefined ? data : { ...data, owner }, {
      singletonKey,
      priority: turn,
      ...(after > 0 ? { startAfter: after } : {}),
    });
    this.#wake(name);
  }

  waiting(name: string): Promise<number> {
    return this.#boss.getQueueSize(name);
  }

  work(name: string, handler: JobHandler, { running = 1, outside = 0 }: JobPlaces): void {
    if (this.#workers.has(name)) return;
    const worker: Worker = {
      wake: new AbortController(),
      places: new Places({ running, outside, waiting: Infinity }),
      loop: Promise.resolve(),
      running: new Set(),
    };
    this.#workers.set(name, worker);
    worker.loop = this.#loop(name, worker, handler);
    if (this.#maintenance) return;
    this.#maintain();
    this.#maintenance = setInterval(() => this.#maintain(), this.#timings.maintenance);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#maintenance);
    const workers = [...this.#workers.values()];
    await closeAll([
      () => this.#db.close(),
      () => this.#boss.stop({ graceful: false }),
      () => Promise.all(workers.flatMap(({ loop, running }) => [loop, ...running])),
    ]);
  }

  get #signal(): AbortSignal {
    return this.#stopping.signal;
  }

  #ensureQueue(name: string): Promise<void> {
    const known = this.#queues.get(name);
    if (known) return known;
    const created = this.#creating.then(() =>
      this.#db.transaction(async (lock) => {
        await lock.query(`select pg_advisory_xact_lock(${LOCKS.jobQueue})`);
        await this.#boss.createQueue(name, {
          // One job of a key waits at a time; while it runs, the next one may wait.
          name,
          policy: 'short',
          retryLimit: RETRIES,
          retryDelay: this.#timings.retrySeconds,
          retryBackoff: true,
          expireInSeconds: this.#timings.expireSeconds,
        });
      }),
    );
    this.#creating = created.catch(() => undefined);
    this.#queues.set(name, created);
    created.catch(() => this.#queues.delete(name));
    return created;
  }

  async #loop(name: string, worker: Worker, handler: JobHandler): Promise<void> {
    const signal = this.#signal;
    while (!signal.aborted) {
      const search = Promise.withResolvers<AbortSignal | undefined>();
      const running = worker.places
        .run(() => this.#next(name, worker, { handler, ended: search.resolve }))
        .catch((error: unknown) => {
          // During an outage of the database, or when the server stops, a running job is retried once it
          // expires.
          if (!signal.aborted) this.#onError(error, { name });
          search.resolve(signal);
        })
        .finally(() => worker.running.delete(running));
      worker.running.add(running);
      const woken = await search.promise;
      if (woken && !signal.aborted) await this.#idle(woken);
    }
  }

  /** Runs a job if one waits. `ended` is called after the search, with the signal that ends a pause if none was found. */
  async #next(
    name: string,
    worker: Worker,
    { handler, ended }: { handler: JobHandler; ended: (woken: AbortSignal | undefined) => void },
  ): Promise<void> {
    this.#signal.throwIfAborted();
    // Read before the search, so that a job that arrives during the search ends the pause.
    const woken = worker.wake.signal;
    await this.#ensureQueue(name);
    const [job] = await this.#boss.fetch<JsonObject>(name, { includeMetadata: true });
    ended(job ? undefined : woken);
    if (job) await this.#run(job, handler);
  }

  async #run(job: PgBoss.JobWithMetadata<JsonObject>, handler: JobHandler): Promise<void> {
    const { name, id } = job;
    const signal = this.#signal;
    const heartbeat = setInterval(() => {
      this.#db.query(ALIVE, [name, id]).catch((error: unknown) => this.#onError(error, { name, id }));
    }, this.#timings.heartbeat);
    try {
      const last = job.retryCount >= job.retryLimit;
      await this.#whenDiskHasRoom(job, () => handler(job.data, { signal, last }));
      // Finished jobs are deleted: some kinds are many and large.
      await this.#boss.deleteJob(name, id);
    } catch (error) {
      // The end of the process is no failure of the job.
      if (signal.aborted) await this.#db.query(RELEASE, [name, id]);
      else {
        this.#onError(error, { name, id });
        await this.#boss.fail(name, id, { message: error instanceof Error ? error.message : String(error) });
      }
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** With a full disk no try counts. The job waits and keeps its place, because another one would fail too. */
  async #whenDiskHasRoom({ name, id }: PgBoss.Job, work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isDiskFull(error) || this.#signal.aborted) throw error;
        this.#onError(error, { name, id });
        await pause(this.#timings.roomPause, this.#signal);
        this.#signal.throwIfAborted();
      }
    }
  }

  /** Waits until a job is enqueued in this process, or until the next poll. */
  #idle(woken: AbortSignal): Promise<void> {
    return pause(this.#timings.poll, AbortSignal.any([this.#signal, woken]));
  }

  #wake(name: string): void {
    const worker = this.#workers.get(name);
    if (!worker) return;
    const { wake } = worker;
    worker.wake = new AbortController();
    wake.abort();
  }

  async #waitingOf(name: string, owner: string): Promise<number> {
    const [row] = await this.#db.query<{ count: number }>(WAITING_OF, [name, owner]);
    return row?.count ?? 0;
  }

  /** Takes jobs from killed processes, and drops old finished ones. */
  #maintain(): void {
    this.#boss.maintain().catch((error: unknown) => {
      if (!this.#signal.aborted) this.#onError(error, { name: SCHEMA });
    });
  }
}
