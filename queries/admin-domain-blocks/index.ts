import { listDomainBlocks, showDomainBlock } from './list.ts';

export { domainBlockOf, domainBlocksAbove, holdingBlock, reportsRefusedFrom } from './blocks.ts';

export const adminDomainBlockQueries = [listDomainBlocks, showDomainBlock];
