import { listDomainBlocks } from './list.ts';

export { visitorsFrom } from './visitors.ts';

export const domainBlockQueries = [listDomainBlocks];
