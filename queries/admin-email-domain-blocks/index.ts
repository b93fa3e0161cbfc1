import { listEmailDomainBlocks, showEmailDomainBlock } from './list.ts';

export { emailDomainBlockOf } from './list.ts';
export { blockedEmailDomains } from './matching.ts';

export const adminEmailDomainBlockQueries = [listEmailDomainBlocks, showEmailDomainBlock];
