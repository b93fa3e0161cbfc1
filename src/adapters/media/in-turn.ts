import { invalid } from '../../kernel/errors.ts';
import type { OnBehalf } from '../../kernel/on-behalf.ts';
import { fairSemaphore } from '../../kernel/concurrency.ts';
import type { TaskName, Tasks } from './worker/tasks.ts';
import { inWorker, WorkerEnded } from './worker/worker.ts';

/** One at a time: an image takes up to 100 MB while it is processed. */
const imageLimit = fairSemaphore({ running: 1, waiting: 20, waitingPerOwner: 4 });

/**
 * Runs a task on an image in the worker process when its turn comes.
 * @throws RookeryError as the task; `invalid` when the image crashes the worker; `unavailable` when too many
 * wait
 */
export const inTurn = <Name extends TaskName>(
  task: Name,
  args: Parameters<Tasks[Name]>,
  onBehalf?: OnBehalf,
): Promise<Awaited<ReturnType<Tasks[Name]>>> =>
  imageLimit(
    () =>
      inWorker(task, args).catch((error: unknown) => {
        throw error instanceof WorkerEnded ? invalid('The picture could not be read') : error;
      }),
    onBehalf,
  );
