import { createDomainBlock } from './create.ts';
import { deleteDomainBlock } from './delete.ts';
import { updateDomainBlock } from './update.ts';

export { blockDomain, changeDomainBlock, imposeDomainBlock, unblockDomain } from './change.ts';

export const adminDomainBlockCommands = [createDomainBlock, updateDomainBlock, deleteDomainBlock];
