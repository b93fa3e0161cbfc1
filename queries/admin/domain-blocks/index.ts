import { listDomainBlocks, showDomainBlock } from './list.ts';

export { domainBlockOf, domainBlocksAbove, holdingBlock } from './blocks.ts';

export const adminDomainBlockQueries = [listDomainBlocks, showDomainBlock];
