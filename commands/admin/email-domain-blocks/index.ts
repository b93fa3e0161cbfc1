import { createEmailDomainBlock } from './create.ts';
import { deleteEmailDomainBlock } from './delete.ts';

export { blockEmailDomain, unblockEmailDomain } from './change.ts';

export const adminEmailDomainBlockCommands = [createEmailDomainBlock, deleteEmailDomainBlock];
