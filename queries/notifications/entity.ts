import type { Instance, RequestContext } from '#kernel/context.ts';
import { json, type JsonPieces } from '#kernel/json-pieces.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';
import { members } from '#mastodon/ready-json.ts';
import { collectionsOfItems, collectionsOfUpdates } from '../collections/index.ts';
import { ACCOUNT_COLUMNS, accountJson, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { reportTexts } from '../reports/index.ts';
import { findStatuses } from '../statuses/index.ts';
import { fallbackMember } from './fallback.ts';
import { ALL_GROUPED, groupKey } from './group-key.ts';
import { severanceMembers } from './severances.ts';
import { warningMembers } from './warnings.ts';

/** The columns for rendering notifications `n` from accounts `a`. */
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
 * Returns https://docs.joinmastodon.org/entities/Notification/, in the order of the rows. A notification
 * whose status was hidden a moment ago is left out. `supported` are the types that the client declares: other
 * types come with a fallback text.
 */
export async function notificationTexts(
  ctx: RequestContext,
  rows: readonly NotificationRow[],
  supported?: readonly string[],
): Promise<JsonPieces[]> {
  const [statuses, subjects] = await Promise.all([
    statusTexts(
      ctx,
      rows.map(({ status_id }) => status_id),
    ),
    subjectMembers(ctx, rows),
  ]);
  return rows.flatMap((row) => {
    const status = statuses.get(row.status_id);
    if (row.status_id !== '0' && status === undefined) return [];
    const fallback = fallbackMember(row.type, supported, row, ctx.instance);
    return [notificationJson(row, status, (subjects.get(row.id) ?? '') + fallback, ctx.instance)];
  });
}

/**
 * Returns the members for further subjects of notifications, besides accounts and statuses, with their
 * commas, by id.
 */
export async function subjectMembers(
  ctx: RequestContext,
  rows: readonly { id: string; type: string }[],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all([
    reportMembers(ctx, rows),
    warningMembers(ctx, rows),
    severanceMembers(ctx, rows),
    collectionMembers(ctx, rows),
  ]);
  return new Map(found.flatMap((subjects) => [...subjects]));
}

/**
 * Returns the member `collection` of notifications about a collection, with its comma, by the id of the item
 * or of the change.
 */
async function collectionMembers(
  ctx: RequestContext,
  rows: readonly { id: string; type: string }[],
): Promise<ReadonlyMap<string, string>> {
  const updates = idsOf(rows, 'collection_update');
  const found = await Promise.all([
    collectionsOfItems(ctx, idsOf(rows, 'added_to_collection')),
    collectionsOfUpdates(ctx, updates),
  ]);
  const collections = found.flatMap((each) => [...each]);
  return new Map(collections.map(([id, each]) => [id, `,"collection":${JSON.stringify(each)}`]));
}

const idsOf = (rows: readonly { id: string; type: string }[], wanted: NotificationType): string[] =>
  rows.flatMap(({ id, type }) => (type === wanted ? [id] : []));

/** Returns the member `report` of notifications about a report, with its comma, by the id of the report. */
async function reportMembers(
  ctx: RequestContext,
  rows: readonly { id: string; type: string }[],
): Promise<ReadonlyMap<string, string>> {
  const texts = await reportTexts(ctx, idsOf(rows, 'admin.report'));
  return new Map([...texts].map(([id, text]) => [id, `,"report":${text}`]));
}

/** Returns JSON of statuses by id; '0' is none. Statuses that the viewer may not see are absent. */
export async function statusTexts(
  ctx: RequestContext,
  statusIds: readonly (string | null)[],
): Promise<Map<string, JsonPieces>> {
  const ids = [...new Set(statusIds)].filter((id) => id !== null && id !== '0') as string[];
  const statuses = await findStatuses(ctx, ids);
  return new Map(
    ids.flatMap((id, index) => {
      const status = statuses[index];
      return status ? [[id, status] as const] : [];
    }),
  );
}

function notificationJson(
  row: NotificationRow,
  status: JsonPieces | undefined,
  subject: string,
  instance: Instance,
): JsonPieces {
  const { id, type, group_key, created_at } = row;
  const facts = members({ id, type, group_key, created_at });
  const about = status ? json`,"status":${status}` : '';
  return json`{${facts},"account":${fillOrigins(accountJson(row), instance)}${about}${subject}}`;
}
