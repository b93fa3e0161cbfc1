import { listScheduledStatuses, showScheduledStatus } from './list.ts';

export { dueScheduled, isScheduled, scheduledCounts, scheduledStatusText } from './read.ts';
export const scheduledStatusQueries = [listScheduledStatuses, showScheduledStatus];
