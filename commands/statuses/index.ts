import { createStatus } from './create.ts';
import { deleteStatus } from './delete.ts';

export const statusCommands = [createStatus, deleteStatus];
