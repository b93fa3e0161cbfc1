import type { Db } from '../../src/kernel/read.ts';
import { popularAccounts } from './accounts.ts';
import { trendingLinks } from './links.ts';
import { trendingStatuses } from './statuses.ts';
import { trendingTags } from './tags.ts';

/** How each ranking is made: the keys at a moment (ISO 8601), the first one first. A few hundred at most. */
export const RANKINGS = {
  accounts: popularAccounts,
  tags: trendingTags,
  statuses: trendingStatuses,
  links: trendingLinks,
} satisfies Record<string, (db: Db, now: string) => Promise<string[]>>;
export type RankingKind = keyof typeof RANKINGS;
