import { listDomainBlocks } from './list.ts';

export { followsWith, peopleTiedTo, tiesLeftWith, tiesWith, type FollowCounts } from './ties.ts';

export const domainBlockQueries = [listDomainBlocks];
