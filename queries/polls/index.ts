import { showPoll } from './show.ts';

export { duePolls } from './due.ts';
export { pollText, visiblePoll, type VisiblePoll } from './show.ts';
export const pollQueries = [showPoll];
