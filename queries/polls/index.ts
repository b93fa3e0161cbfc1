import { showPoll } from './show.ts';

export { duePolls } from './due.ts';
export { pollSeenBy, pollText, visiblePoll, type VisiblePoll } from './show.ts';
export const pollQueries = [showPoll];
