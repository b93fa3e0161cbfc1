import type { InstanceRuleRow } from '../../projections/instance.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import type { Rule } from '../entities/schemas/index.ts';

const CITED = statement(
  'instance_rules_cited',
  'select id, text, hint, translations, removed from instance_rules where id = any($1::bigint[])',
);

/** Rules by their ids, also those that were removed: whoever reads a report wants to know what it cites. */
export async function rulesById(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { rule: Rule; removed: boolean }>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<InstanceRuleRow & { removed: boolean }>(CITED, [ids]);
  return new Map(
    rows.map(({ removed, ...row }) => [String(row.id), { rule: { ...row, id: String(row.id) }, removed }]),
  );
}
