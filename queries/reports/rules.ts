import type { Db } from '../../src/kernel/read.ts';
import type { Rule } from '../entities/schemas/index.ts';

/**
 * The rules of this server as reports see them, and the one place for it. They have no read model yet: whatever is cited counts
 * as a rule, and has no text to show.
 */
export interface CitedRules {
  /** Those of the ids that are rules. */
  known: ReadonlySet<string>;
  /** As staff reads them, by their ids. */
  texts: ReadonlyMap<string, Rule>;
}

export const citedRules = (_db: Db, ids: readonly string[]): Promise<CitedRules> =>
  Promise.resolve({ known: new Set(ids), texts: new Map() });
