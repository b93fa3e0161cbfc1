import type { JsonObject } from '../../../kernel/event.ts';
import type { Db } from '../../../kernel/read.ts';
import { inboxJobIn, type InboxJob } from './inbox-job.ts';
import type { InboxWorker } from './worker.ts';
import { InboxQueue } from './queue.ts';
import type { InboxScheduler } from './scheduler.ts';

/** How often a process that has carried out nothing yet looks for what another one has kept, in milliseconds. */
const LOOK_EVERY = 2_000;

export interface InboxOptions {
  db: Db;
  /** Loaded with the first letter. */
  perform: () => Promise<InboxWorker>;
  /** Told what went wrong here. */
  onError: (error: unknown) => void;
}

export interface InboxService {
  /** Keeps a letter until it is carried out. False where too many wait. */
  keep(letter: InboxJob): Promise<boolean>;
  /** Takes over a letter that an earlier version kept as a job. @throws when too many wait */
  adopt(data: JsonObject): Promise<void>;
  /** Begins to carry out, in a process that has the role for it. */
  start(): Promise<void>;
  /** Gives back what is under way. */
  stop(): Promise<void>;
}

/** The inbox in the database. The scheduler is loaded with the first letter. */
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
    const scheduler = new Scheduler({
      queue,
      onError,
      perform: (letter, run) => performer.perform(letter, run),
    });
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
  /** Once there is a scheduler, it looks by itself. */
  const look = async (): Promise<void> => {
    if (!opening && (await queue.any())) wake();
  };
  const keep = async (letter: InboxJob): Promise<boolean> => {
    const isKept = await queue.add(letter, Date.now());
    if (isKept) wake();
    return isKept;
  };

  return {
    keep,
    async adopt(data) {
      const letter = inboxJobIn(data);
      if (letter && !(await keep(letter))) throw new Error('Too many activities wait in the inbox');
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
