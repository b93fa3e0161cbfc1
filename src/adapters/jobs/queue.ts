import { randomUUID } from 'node:crypto';
import PgBoss from 'pg-boss';
import { closeAll } from '../../kernel/close-all.ts';
import { isDiskFull } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/event.ts';
import { pause } from '../../kernel/pause.ts';
import { openDatabase } from '../../storage/postgres/db.ts';
import { LOCKS } from '../../storage/postgres/locks.ts';
import type { JobOptions } from '../../kernel/services/jobs.ts';
import type { JobHandler } from './handler.ts';

/** The queue behind `JobService`. */
export interface JobQueue {
  enqueue(name: string, data: JsonObject, options: JobOptions): Promise<void>;
  waiting(name: string): Promise<number>;
  /** Once per name; a repeat changes nothing. */
  work(name: string, handler: JobHandler, running: number): void;
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

/** The loops that run the jobs of one name in this process. */
interface Worker {
  /** Aborted, and replaced, when a job was enqueued here. */
  wake: AbortController;
  loops: Promise<void>[];
}

const SCHEMA = 'jobs';
const ALIVE = `update ${SCHEMA}.job set started_on = now() where name = $1 and id = $2 and state = 'active'`;
/** Returns a job without counting the try. */
const GIVE_BACK = `update ${SCHEMA}.job set state = 'retry', started_on = null
  where name = $1 and id = $2 and state = 'active'`;

/** Counts the unfinished jobs of one owner. */
const WAITING_OF = `select count(*)::int as count from ${SCHEMA}.job
  where name = $1 and state in ('created', 'retry', 'active') and data ->> 'owner' = $2`;

/** Opens the queue on at most two connections. Creates its schema if it is missing. */
export async function openJobQueue({
  url,
  onError,
  timings = TIMINGS,
}: {
  url: string;
  onError: (error: unknown, job: { name: string; id?: string }) => void;
  timings?: JobTimings | undefined;
}): Promise<JobQueue> {
  const db = openDatabase({ url, max: 2, applicationName: 'rookery jobs' });
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => ({ rows: await db.query(text, values) }) },
    schema: SCHEMA,
    schedule: false,
    supervise: false,
  });
  boss.on('error', (error) => onError(error, { name: SCHEMA }));
  await boss.start();

  const stopping = new AbortController();
  const { signal } = stopping;
  const queues = new Map<string, Promise<void>>();
  const working = new Map<string, Worker>();

  /**
   * Creates one queue after the other, also across processes: two concurrent creations would block each
   * other.
   */
  let making: Promise<unknown> = Promise.resolve();
  const ensureQueue = (name: string): Promise<void> => {
    const known = queues.get(name);
    if (known) return known;
    const made = making.then(() =>
      db.transaction(async (lock) => {
        await lock.query(`select pg_advisory_xact_lock(${LOCKS.jobQueue})`);
        await boss.createQueue(name, {
          // One job of a key waits at a time; while it runs, the next one may wait.
          name,
          policy: 'short',
          retryLimit: RETRIES,
          retryDelay: timings.retrySeconds,
          retryBackoff: true,
          expireInSeconds: timings.expireSeconds,
        });
      }),
    );
    making = made.catch(() => undefined);
    queues.set(name, made);
    made.catch(() => queues.delete(name));
    return made;
  };

  /**
   * With a full disk no try counts. The job waits and keeps its place, because another one would fail too.
   */
  const whenThereIsRoom = async ({ name, id }: PgBoss.Job, work: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isDiskFull(error) || signal.aborted) throw error;
        onError(error, { name, id });
        await pause(timings.roomPause, signal);
        signal.throwIfAborted();
      }
    }
  };

  const run = async (job: PgBoss.JobWithMetadata<JsonObject>, handler: JobHandler): Promise<void> => {
    const { name, id } = job;
    const heartbeat = setInterval(() => {
      db.query(ALIVE, [name, id]).catch((error: unknown) => onError(error, { name, id }));
    }, timings.heartbeat);
    try {
      await whenThereIsRoom(job, () => handler(job.data, { signal, last: job.retryCount >= job.retryLimit }));
      // Finished jobs are deleted: some kinds are many and large.
      await boss.deleteJob(name, id);
    } catch (error) {
      // The end of the process is no failure of the job.
      if (signal.aborted) await db.query(GIVE_BACK, [name, id]);
      else {
        onError(error, { name, id });
        await boss.fail(name, id, { message: error instanceof Error ? error.message : String(error) });
      }
    } finally {
      clearInterval(heartbeat);
    }
  };

  const loop = async (name: string, worker: Worker, handler: JobHandler): Promise<void> => {
    while (!signal.aborted) {
      // Read before the search, so that a job that arrives meanwhile ends the wait.
      const woken = worker.wake.signal;
      try {
        await ensureQueue(name);
        const [job] = await boss.fetch<JsonObject>(name, { includeMetadata: true });
        if (job) await run(job, handler);
        else await idle(woken);
      } catch (error) {
        // During an outage of the database, or when the server stops, a running job is retried once it
        // expires.
        if (signal.aborted) return;
        onError(error, { name });
        await idle(signal);
      }
    }
  };

  /** Waits until a job is enqueued in this process, or until the next poll. */
  const idle = (woken: AbortSignal): Promise<void> => pause(timings.poll, AbortSignal.any([signal, woken]));

  const wakeUp = (name: string): void => {
    const worker = working.get(name);
    if (!worker) return;
    const { wake } = worker;
    worker.wake = new AbortController();
    wake.abort();
  };

  const waitingOf = async (name: string, owner: string): Promise<number> => {
    const [row] = await db.query<{ count: number }>(WAITING_OF, [name, owner]);
    return row?.count ?? 0;
  };

  let maintaining: NodeJS.Timeout | undefined;
  /** Takes jobs from killed processes, and drops old finished ones. */
  const maintain = (): void =>
    void boss.maintain().catch((error: unknown) => {
      if (!signal.aborted) onError(error, { name: SCHEMA });
    });

  return {
    async enqueue(name, data, { singletonKey = randomUUID(), after = 0, owner, priority }) {
      await ensureQueue(name);
      // The n-th job of an owner comes after the first n - 1 jobs of every other owner.
      const turn = priority ?? (owner === undefined ? 0 : -(await waitingOf(name, owner)));
      await boss.send(name, owner === undefined ? data : { ...data, owner }, {
        singletonKey,
        priority: turn,
        ...(after > 0 ? { startAfter: after } : {}),
      });
      wakeUp(name);
    },
    waiting: (name) => boss.getQueueSize(name),
    work(name, handler, running) {
      if (working.has(name)) return;
      const worker: Worker = { wake: new AbortController(), loops: [] };
      working.set(name, worker);
      for (let n = 0; n < running; n += 1) worker.loops.push(loop(name, worker, handler));
      if (maintaining) return;
      maintain();
      maintaining = setInterval(maintain, timings.maintenance);
    },
    async close() {
      stopping.abort();
      clearInterval(maintaining);
      const ended = (): Promise<unknown> => Promise.all([...working.values()].flatMap(({ loops }) => loops));
      await closeAll([() => db.close(), () => boss.stop({ graceful: false }), ended]);
    },
  };
}
