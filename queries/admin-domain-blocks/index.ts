import { listDomainBlocks, showDomainBlock } from './list.ts';

export { domainBlockOf, holdingBlock } from './blocks.ts';

export const adminDomainBlockQueries = [listDomainBlocks, showDomainBlock];
