import { isAnimated, renderImage, renderThumbnail } from '../attachment-images.ts';
import { renderAnimation } from '../cache/animations.ts';
import { colorsOf } from '../colors.ts';
import { processEmoji } from '../emoji-image.ts';
import { processProfileImage } from '../images.ts';
import { laneOf } from '../lane.ts';
import { run } from '../programs.ts';
import { processBanner, processIcon } from '../server-images.ts';

/** All tasks of the worker process. Parameters and results cross processes; a signal comes last. */
export const TASKS = {
  colorsOf,
  isAnimated,
  laneOf,
  processBanner,
  processEmoji,
  processIcon,
  processProfileImage,
  renderAnimation,
  renderImage,
  renderThumbnail,
  run,
};

export type Tasks = typeof TASKS;
export type TaskName = keyof Tasks;
/** The tasks whose first argument is a picture: its bytes, or the path of a file. */
export type PictureTask = Exclude<TaskName, 'colorsOf' | 'laneOf' | 'run'>;
