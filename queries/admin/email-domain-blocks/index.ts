import { listEmailDomainBlocks, showEmailDomainBlock } from './list.ts';

export { emailDomainBlockOf, emailDomainBlocksAbove } from './list.ts';
export { blockedEmailDomains } from './matching.ts';

export const adminEmailDomainBlockQueries = [listEmailDomainBlocks, showEmailDomainBlock];
