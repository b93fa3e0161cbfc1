import { isId } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { Rule } from '#mastodon/schemas/index.ts';
import type { InstanceRuleRow } from '#projections/instance.ts';

const CITED = statement<InstanceRuleRow & { removed: boolean }>(
  'report_rules',
  `select id, text, hint, translations, removed from instance_rules where id::bigint = any($1::bigint[])`,
);

/** The rules that a report cites. */
export interface CitedRules {
  /** The ids of current rules among them. */
  known: ReadonlySet<string>;
  /** The texts for staff, by id; includes removed rules, which older reports cite. */
  texts: ReadonlyMap<string, Rule>;
}

/** At most one statement. Text that is no id cites no rule. */
export async function citedRules(db: Db, ids: readonly string[]): Promise<CitedRules> {
  const asked = ids.filter(isId);
  if (asked.length === 0) return { known: new Set(), texts: new Map() };
  const rows = await db.query(CITED, [asked]);
  return {
    known: new Set(rows.flatMap(({ id, removed }) => (removed ? [] : [String(id)]))),
    texts: new Map(
      rows.map(({ id, text, hint, translations }) => [
        String(id),
        { id: String(id), text, hint, translations },
      ]),
    ),
  };
}
