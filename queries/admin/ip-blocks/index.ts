import { listIpBlocks, showIpBlock } from './list.ts';

export {
  coveringIpBlocks,
  ipBlockOf,
  ipBlockRows,
  ipBlocksAbove,
  rangeHolds,
  rangeOf,
  rangeOfKey,
  severityAgainst,
} from './blocks.ts';
export { expiredIpBlocks } from './expired.ts';

export const adminIpBlockQueries = [listIpBlocks, showIpBlock];
