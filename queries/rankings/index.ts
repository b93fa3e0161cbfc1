import { popularAccounts } from './accounts.ts';
import type { Db } from '../../src/kernel/read.ts';

/** How each ranking is made: the keys at a moment (ISO 8601), the first one first. A few hundred at most. */
export const RANKINGS = {
  accounts: popularAccounts,
} satisfies Record<string, (db: Db, now: string) => Promise<string[]>>;
export type RankingKind = keyof typeof RANKINGS;
