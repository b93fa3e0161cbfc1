import type { Db } from '#kernel/read.ts';
import { popularAccounts } from './accounts.ts';
import { trendingLinks } from './links.ts';
import { trendingStatuses } from './statuses.ts';
import { trendingTags } from './tags.ts';

/** The keys of each ranking at a time (ISO 8601), best first; a few hundred at most. */
export const RANKINGS = {
  accounts: popularAccounts,
  tags: trendingTags,
  statuses: trendingStatuses,
  links: trendingLinks,
} satisfies Record<string, (db: Db, now: string) => Promise<string[]>>;
export type RankingKind = keyof typeof RANKINGS;
