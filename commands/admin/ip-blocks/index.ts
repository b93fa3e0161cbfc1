import { createIpBlock } from './create.ts';
import { deleteIpBlock } from './delete.ts';
import { updateIpBlock } from './update.ts';

export { blockRange, changeIpBlock, endExpired, unblockRange } from './change.ts';
export { checkRange } from './input.ts';

export const adminIpBlockCommands = [createIpBlock, updateIpBlock, deleteIpBlock];
