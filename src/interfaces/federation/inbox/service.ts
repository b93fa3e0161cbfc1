import type { JsonObject } from '#kernel/event.ts';
import type { Db } from '#kernel/read.ts';
import { type InboxJob, inboxJobIn } from './inbox-job.ts';
import { InboxQueue } from './queue.ts';
import type { InboxScheduler } from './scheduler.ts';
import type { InboxWorker } from './worker.ts';

/** How often a process that has processed no job yet looks for jobs of other processes, in milliseconds. */
const LOOK_EVERY = 2_000;

export interface InboxOptions {
  db: Db;
  /** Loads the worker with the first job. */
  perform: () => Promise<InboxWorker>;
  /** Receives failures of this server. */
  onError: (error: unknown) => void;
}

export interface InboxService {
  /** Queues a job. Returns false if too many wait. */
  keep: (job: InboxJob) => Promise<boolean>;
  /** Queues an activity that an earlier version kept as a background job. @throws when too many wait */
  adopt(data: JsonObject): Promise<void>;
  /** Starts to process jobs, in a process whose role includes it. */
  start(): Promise<void>;
  /** Stops, and releases the jobs in progress. */
  stop(): Promise<void>;
}

/** The inbox queue in the database. The scheduler is loaded with the first job. */
export function createInbox({ db, perform, onError }: InboxOptions): InboxService {
  const queue = new InboxQueue(db);
  let opening: Promise<InboxScheduler> | undefined;
  let working = false;
  let looking: NodeJS.Timeout | undefined;

  const open = async (): Promise<InboxScheduler> => {
    const [{ InboxScheduler: Scheduler }, performer] = await Promise.all([
      import('./scheduler.ts'),
      perform(),
    ]);
    const scheduler = new Scheduler({ queue, onError, perform: (job, run) => performer.perform(job, run) });
    scheduler.start();
    return scheduler;
  };
  const wake = (): void => {
    if (!working) return;
    opening ??= open();
    opening.then(
      (scheduler) => scheduler.wake(),
      (error: unknown) => {
        opening = undefined;
        onError(error);
      },
    );
  };
  /** Polls for jobs of other processes until the scheduler is loaded, which polls too. */
  const look = async (): Promise<void> => {
    if (!opening && (await queue.any())) wake();
  };
  const keep = async (job: InboxJob): Promise<boolean> => {
    const isKept = await queue.add(job, Date.now());
    if (isKept) wake();
    return isKept;
  };

  return {
    keep,
    async adopt(data) {
      const job = inboxJobIn(data);
      if (job && !(await keep(job))) throw new Error('Too many activities wait in the inbox');
    },
    async start() {
      working = true;
      looking = setInterval(() => void look().catch(onError), LOOK_EVERY);
      await look();
    },
    async stop() {
      working = false;
      clearInterval(looking);
      await (await opening?.catch(() => undefined))?.stop();
      opening = undefined;
    },
  };
}
