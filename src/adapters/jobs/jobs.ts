import type { Jobs } from '../../kernel/services/jobs.ts';
import type { Db } from '../../kernel/read.ts';
import type { JobHandler } from './handler.ts';
import type { JobQueue, JobTimings } from './queue.ts';

export interface JobService extends Jobs {
  /** Says who does the jobs of a name. `running`: how many at a time in this process; 1 unless given. */
  work(name: string, handler: JobHandler, options?: { running?: number | undefined }): void;
  /** Begins to work, in a process that has the role for it. */
  start(): Promise<void>;
  /** Lets running jobs go back to the queue. */
  close(): Promise<void>;
}

/** Milliseconds. */
const LOOK_EVERY = 30_000;

interface JobsOptions {
  db: Db;
  /** The URL of the same database: the queue has its own connections. */
  url: string;
  onError: (error: unknown, job: { name: string; id?: string }) => void;
  timings?: JobTimings;
}

/**
 * Jobs that survive a crash, kept in the database (schema `jobs`). The queue is loaded and opened when it is first needed:
 * an idle server does without its memory and connections.
 */
export function createJobs(options: JobsOptions): JobService {
  const handlers = new Map<string, { handler: JobHandler; running: number }>();
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
    for (const [name, { handler, running }] of handlers) queue.work(name, handler, running);
  };

  let looking: NodeJS.Timeout | undefined;
  /** Takes over the jobs that another process left behind. */
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
    waiting: async (name) => (await open()).waiting(name),
    work(name, handler, { running = 1 } = {}) {
      handlers.set(name, { handler, running });
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

/** True when there are any that are not done. The schema is made when the queue is first opened. */
async function hasJobs(db: Db): Promise<boolean> {
  const [schema] = await db.query<{ job: string | null }>(`select to_regclass('jobs.job')::text as job`);
  if (schema?.job == null) return false;
  const [row] = await db.query<{ any: boolean }>(
    `select exists (select from jobs.job where state in ('created', 'retry', 'active')) as any`,
  );
  return row?.any === true;
}
