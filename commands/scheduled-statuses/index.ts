import { cancelScheduledStatus } from './cancel.ts';
import { updateScheduledStatus } from './update.ts';

export { claimPublication, failPublication, publicationOf } from './publish.ts';
export { checkMoment, decideSchedule, scheduledQuota } from './schedule.ts';
export { scheduledStatus, type ScheduledStatus } from './scheduled-status.ts';
export const scheduledStatusCommands = [updateScheduledStatus, cancelScheduledStatus];
