import type { Db } from '#kernel/read.ts';
import type { Jobs } from '#kernel/services/jobs.ts';
import type { JobHandler, JobPlaces } from './handler.ts';
import { jobsOverview } from './overview.ts';
import type { JobQueue, JobTimings } from './queue.ts';

export interface JobService extends Jobs {
  /** Registers the handler of a kind of job. */
  work(name: string, handler: JobHandler, options?: JobPlaces): void;
  /** Starts to work, in a process with that role. */
  start(): Promise<void>;
  /** Returns running jobs to the queue. */
  close(): Promise<void>;
}

/** Milliseconds. */
const LOOK_EVERY = 30_000;

interface JobsOptions {
  db: Db;
  /** The URL of the same database: the queue has connections of its own. */
  url: string;
  onError: (error: unknown, job: { name: string; id?: string }) => void;
  timings?: JobTimings;
}

/**
 * Creates jobs that survive a crash, stored in the database (schema `jobs`). The queue is loaded and opened
 * on first use, so an idle server saves its memory and connections.
 */
export function createJobs(options: JobsOptions): JobService {
  const handlers = new Map<string, { handler: JobHandler; places: JobPlaces }>();
  let opening: Promise<JobQueue> | undefined;
  let working = false;

  const open = (): Promise<JobQueue> =>
    (opening ??= import('./queue.ts')
      .then(({ openJobQueue }) => openJobQueue(options))
      .catch((error: unknown) => {
        opening = undefined;
        throw error;
      }));
  const workWith = (queue: JobQueue): void => {
    for (const [name, { handler, places }] of handlers) queue.work(name, handler, places);
  };

  let looking: NodeJS.Timeout | undefined;
  /** Takes over jobs that another process left behind. */
  const look = async (): Promise<void> => {
    if (!opening && (await hasJobs(options.db)) && working) workWith(await open());
  };
  const failed = (error: unknown): void => options.onError(error, { name: 'jobs' });

  return {
    async enqueue(name, data, options = {}) {
      const queue = await open();
      if (working) workWith(queue);
      await queue.enqueue(name, data, options);
    },
    overview: (which) => jobsOverview(options.db, which),
    waiting: async (name) => (await open()).waiting(name),
    work(name, handler, places = {}) {
      handlers.set(name, { handler, places });
    },
    async start() {
      working = true;
      await look();
      looking = setInterval(() => void look().catch((error: unknown) => failed(error)), LOOK_EVERY);
    },
    async close() {
      working = false;
      clearInterval(looking);
      const queue = await opening;
      opening = undefined;
      await queue?.close();
    },
  };
}

/** Tells whether any jobs are unfinished. The schema exists only once the queue was opened. */
async function hasJobs(db: Db): Promise<boolean> {
  const [schema] = await db.query<{ job: string | null }>(`select to_regclass('jobs.job')::text as job`);
  if (schema?.job == null) return false;
  const [row] = await db.query<{ any: boolean }>(
    `select exists (select from jobs.job where state in ('created', 'retry', 'active')) as any`,
  );
  return row?.any === true;
}
