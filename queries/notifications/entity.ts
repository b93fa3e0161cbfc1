import type { RequestContext } from '../../src/kernel/context.ts';
import { accountJson, ACCOUNT_COLUMNS, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { findStatuses } from '../statuses/index.ts';
import { ALL_GROUPED, groupKey } from './group-key.ts';

/** What a statement selects to render notifications `n` from accounts `a`. */
export const NOTIFICATION_COLUMNS = `n.id, n.type, n.status_id, n.created_at, ${groupKey('n', ALL_GROUPED)} as group_key,
  ${ACCOUNT_COLUMNS}`;

export interface NotificationRow extends AccountRow {
  id: string;
  type: string;
  /** '0' for none. */
  status_id: string;
  created_at: string;
  group_key: string;
}

/**
 * https://docs.joinmastodon.org/entities/Notification/ as JSON texts, in the order of the rows. One whose status has just been
 * hidden is left out.
 */
export async function notificationTexts(
  ctx: RequestContext,
  rows: readonly NotificationRow[],
): Promise<string[]> {
  const statuses = await statusTexts(
    ctx,
    rows.map(({ status_id }) => status_id),
  );
  return rows.flatMap((row) => {
    const status = statuses.get(row.status_id);
    if (row.status_id !== '0' && status === undefined) return [];
    return [fillOrigins(notificationJson(row, status), ctx.instance)];
  });
}

/** Ready JSON of statuses by id; '0' is none, and those that the reader may not see are absent. */
export async function statusTexts(
  ctx: RequestContext,
  statusIds: readonly (string | null)[],
): Promise<Map<string, string>> {
  const ids = [...new Set(statusIds)].filter((id) => id !== null && id !== '0') as string[];
  const texts = await findStatuses(ctx, ids);
  return new Map(
    ids.flatMap((id, index) => {
      const text = texts[index];
      return text === undefined ? [] : [[id, text] as const];
    }),
  );
}

function notificationJson(row: NotificationRow, status: string | undefined): string {
  const { id, type, group_key, created_at } = row;
  const about = status === undefined ? '' : `,"status":${status}`;
  return `${JSON.stringify({ id, type, group_key, created_at }).slice(0, -1)},"account":${accountJson(row)}${about}}`;
}
