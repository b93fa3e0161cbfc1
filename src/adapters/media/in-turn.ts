import { fairSemaphore } from '#kernel/concurrency.ts';
import { invalid } from '#kernel/errors.ts';
import type { OnBehalf } from '#kernel/on-behalf.ts';
import type { Lane } from './lane.ts';
import type { PictureTask, Tasks } from './worker/tasks.ts';
import { inWorker, WorkerEnded } from './worker/worker.ts';

/**
 * One large picture at a time, because it takes up to 100 MB while it is processed, and one small picture beside
 * it. Accounts take turns in both lanes.
 */
const LANES = {
  small: fairSemaphore({ running: 1, waiting: 40, waitingPerOwner: 8 }),
  large: fairSemaphore({ running: 1, waiting: 20, waitingPerOwner: 4 }),
};

/**
 * Runs a task on a picture, its first argument, in the worker process when its turn comes. A small picture never
 * waits behind a large one.
 * @throws RookeryError as the task; `invalid` when the image crashes the worker; `unavailable` when too many
 * wait
 */
export async function inTurn<Name extends PictureTask>(
  task: Name,
  args: Parameters<Tasks[Name]>,
  onBehalf?: OnBehalf,
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  const [picture] = args as [Buffer | string];
  const lane = await laneInWorker(picture, onBehalf);
  return LANES[lane](() => blamingPicture(inWorker(task, args)), onBehalf);
}

/** Returns the lane of a picture. @throws RookeryError as `inTurn` */
export const laneInWorker = (picture: Buffer | string, onBehalf?: OnBehalf): Promise<Lane> =>
  LANES.small(() => blamingPicture(inWorker('laneOf', [picture])), onBehalf);

const blamingPicture = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof WorkerEnded ? invalid('The picture could not be read') : error;
  });
