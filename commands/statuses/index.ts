import { createStatus } from './create.ts';
import { deleteStatus } from './delete.ts';
import { reblogStatus, unreblogStatus } from './reblog.ts';

export { publishScheduled } from './publish-scheduled.ts';
export const statusCommands = [createStatus, deleteStatus, reblogStatus, unreblogStatus];
