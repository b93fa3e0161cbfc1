import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { StrikeGrounds } from '#mastodon/schemas/index.ts';

/** SQL: the texts of the rules that a report `r` cites, in their order; also of rules that were removed since. */
export const CITED_TEXTS = `array(select ru.text from instance_rules ru
    where ru.id::text in (select jsonb_array_elements_text(r.rule_ids::jsonb)) order by ru.position, ru.id)`;

const OF_REPORT = statement<StrikeGrounds>(
  'report_grounds',
  `select r.category, ${CITED_TEXTS} as rules from reports r where r.id = $1`,
);

/** Returns the grounds that a report gives for a strike; null without a report. */
export async function groundsOf(db: Db, reportId: Id | null): Promise<StrikeGrounds | null> {
  if (reportId === null) return null;
  const [row] = await db.query(OF_REPORT, [reportId]);
  return row ?? null;
}
