import type { RequestContext } from '#kernel/context.ts';
import { statement } from '#kernel/read.ts';
import { type StrikeRow, STRIKES, warningJson } from '../strikes/index.ts';

const WARNINGS = statement<StrikeRow>(
  'notification_warnings',
  `${STRIKES} where w.id = any($2) and w.account_id = $1`,
);

/**
 * Returns the member `moderation_warning` of notifications, as text with a comma before it, by their ids;
 * other types have none. A warning has the id of its notification. At most one statement.
 * https://docs.joinmastodon.org/entities/AccountWarning/
 */
export async function warningMembers(
  { db, viewer, instance }: RequestContext,
  rows: readonly { id: string; type: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(({ id, type }) => (type === 'moderation_warning' ? [id] : []));
  if (ids.length === 0) return new Map();
  const warnings = await db.query(WARNINGS, [viewer?.account_id ?? null, ids]);
  return new Map(warnings.map((row) => [row.id, `,"moderation_warning":${warningJson(row, instance)}`]));
}
