import type { RequestContext } from '../../src/kernel/context.ts';
import { statement } from '../../src/kernel/read.ts';
import { members } from '../../src/kernel/ready-json.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';

/** Of the reader alone: nobody else is told of his strikes. */
const WARNINGS = statement(
  'notification_warnings',
  `select w.id, w.action, w.text, w.status_ids, w.created_at, ${ACCOUNT_COLUMNS}
   from account_warnings w join accounts a on a.id = w.account_id ${ACCOUNT_STATS}
   where w.id = any($2) and w.account_id = $1`,
);

interface WarningRow extends AccountRow {
  id: string;
  action: string;
  text: string;
  /** A JSON text. */
  status_ids: string;
  /** ISO 8601. */
  created_at: string;
}

/**
 * The member `moderation_warning` of notifications, as text with a comma before it, by their ids; of other types there is none.
 * A warning has the id of its notification. At most one statement. https://docs.joinmastodon.org/entities/AccountWarning/
 */
export async function warningMembers(
  { db, viewer, instance }: RequestContext,
  rows: readonly { id: string; type: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(({ id, type }) => (type === 'moderation_warning' ? [id] : []));
  if (ids.length === 0) return new Map();
  const warnings = await db.query<WarningRow>(WARNINGS, [viewer?.account_id ?? null, ids]);
  return new Map(
    warnings.map((row) => {
      const { id, action, text, created_at } = row;
      const status_ids = JSON.parse(row.status_ids) as string[];
      const facts = members({
        id,
        action,
        text,
        created_at,
        appeal: null,
        status_ids: status_ids.length === 0 ? null : status_ids,
      });
      const account = fillOrigins(accountJson(row), instance);
      return [id, `,"moderation_warning":{${facts},"target_account":${account}}`];
    }),
  );
}
