import { showPoll } from './show.ts';

export { duePolls } from './due.ts';
export { pollSeenBy, pollText, visiblePoll, type VisiblePoll } from './show.ts';
export { pollVoters, type PollVoters } from './voters.ts';
export const pollQueries = [showPoll];
