import type { Db } from '../../src/kernel/read.ts';
import type { Rule } from '../entities/schemas/index.ts';
import { rulesById } from '../instance/index.ts';

/** The rules of this server as reports see them. */
export interface CitedRules {
  /** Those of the ids that are rules now. */
  known: ReadonlySet<string>;
  /** As staff reads them, by their ids; rules that were removed too. */
  texts: ReadonlyMap<string, Rule>;
}

export async function citedRules(db: Db, ids: readonly string[]): Promise<CitedRules> {
  const found = await rulesById(db, ids);
  return {
    known: new Set([...found].filter(([, { removed }]) => !removed).map(([id]) => id)),
    texts: new Map([...found].map(([id, { rule }]) => [id, rule])),
  };
}
