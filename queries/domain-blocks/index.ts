import { listDomainBlocks } from './list.ts';
import { previewDomainBlock } from './preview.ts';

export {
  followsEndingWith,
  followsWith,
  peopleTiedTo,
  tiesLeftWith,
  tiesWith,
  type FollowCounts,
} from './ties.ts';

export const domainBlockQueries = [listDomainBlocks, previewDomainBlock];
