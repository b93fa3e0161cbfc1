import { findSubjects } from './find.ts';
import { showReplay } from './show.ts';

export { evolve, foldWorld, NOTHING, thingOf } from './fold.ts';
export { stepsOf } from './steps.ts';
export { stateOf, type Reader, type Subject } from './view.ts';
export type { Past, World } from './world.ts';

export const adminReplayQueries = [findSubjects, showReplay];
