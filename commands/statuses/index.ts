import { createStatus } from './create.ts';
import { deleteStatus } from './delete.ts';
import { reblogStatus, unreblogStatus } from './reblog.ts';

export const statusCommands = [createStatus, deleteStatus, reblogStatus, unreblogStatus];
