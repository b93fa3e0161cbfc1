import { listCanonicalEmailBlocks, showCanonicalEmailBlock } from './list.ts';

export { canonicalEmailBlockOf, canonicalEmailBlocksOf } from './list.ts';

export const adminCanonicalEmailBlockQueries = [listCanonicalEmailBlocks, showCanonicalEmailBlock];
