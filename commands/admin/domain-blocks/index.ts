import { createDomainBlock } from './create.ts';
import { deleteDomainBlock } from './delete.ts';
import { updateDomainBlock } from './update.ts';

export { blockDomain, changeDomainBlock, DEFAULT_RULES, imposeDomainBlock, unblockDomain } from './change.ts';
export { isStricter, stricterOf } from './domain-block.ts';

export const adminDomainBlockCommands = [createDomainBlock, updateDomainBlock, deleteDomainBlock];
