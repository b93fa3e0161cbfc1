import { listIpBlocks, showIpBlock } from './list.ts';

export { ipBlockOf, ipBlockRows, rangeHolds, rangeOf, severityAgainst } from './blocks.ts';
export { ShutOut } from './cache.ts';
export { expiredIpBlocks } from './expired.ts';

export const adminIpBlockQueries = [listIpBlocks, showIpBlock];
