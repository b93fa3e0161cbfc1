import { createIpBlock } from './create.ts';
import { deleteIpBlock } from './delete.ts';
import { updateIpBlock } from './update.ts';

export { blockRange, endExpired, unblockRange } from './change.ts';

export const adminIpBlockCommands = [createIpBlock, updateIpBlock, deleteIpBlock];
