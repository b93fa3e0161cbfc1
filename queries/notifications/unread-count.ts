import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { pageParameters, pageRequest, selectPage } from '#kernel/paging.ts';
import { MAIN, NOTIFICATIONS } from '#kernel/projection.ts';
import { storedMarkers } from '../markers.ts';
import { groupedTypes, groupedTypesParameter, NEWEST_OF_GROUP } from './groups.ts';
import {
  select,
  type Selection,
  selectionParameters,
  type SelectionStatements,
  selectionStatements,
} from './selection.ts';

const COUNT = selectionStatements<{ count: number }>(
  'notifications_unread',
  (order, selected) => `
    select count(*)::int as count from (
      select from notifications n where ${selected} order by n.id ${order} limit $4) unread`,
);
const COUNT_GROUPS = selectionStatements<{ count: number }>(
  'notification_groups_unread',
  (order, selected, ofGroup) => `
    select count(*)::int as count from (
      select from notifications n
      where ${selected} and ${NEWEST_OF_GROUP(ofGroup)} order by n.id ${order} limit $4) unread`,
);

const { limit } = pageParameters(100, 1_000);
const { include_filtered: _, ...parameters } = selectionParameters;
const countEndpoint = {
  method: 'GET',
  auth: 'user',
  scopes: ['read:notifications'],
  reads: [MAIN, NOTIFICATIONS],
  reply: z.strictObject({ count: z.int().min(0) }),
} as const;

/** https://docs.joinmastodon.org/methods/notifications/#unread-count */
export const unreadCount = endpoint({
  ...countEndpoint,
  path: '/api/v1/notifications/unread_count',
  summary: 'Count unread notifications',
  query: z.object({ ...parameters, limit }),
  handler: async (ctx, { query }) => ({ json: { count: await countUnread(ctx, COUNT, query) } }),
});

/** https://docs.joinmastodon.org/methods/grouped_notifications/#unread-group-count */
export const unreadGroupCount = endpoint({
  ...countEndpoint,
  path: '/api/v2/notifications/unread_count',
  summary: 'Count unread groups of notifications',
  query: z.object({ ...parameters, ...groupedTypesParameter, limit }),
  handler: async (ctx, { query }) => ({
    json: { count: await countUnread(ctx, COUNT_GROUPS, query, [groupedTypes(query)]) },
  }),
});

/** Counts notifications newer than the marker, up to the limit. */
async function countUnread(
  ctx: UserContext,
  statements: SelectionStatements<{ count: number }>,
  query: Selection & { limit: number },
  more: readonly unknown[] = [],
): Promise<number> {
  const markers = await storedMarkers(ctx.db, ctx.viewer.account_id);
  const page = pageRequest({ since_id: markers?.notifications?.last_read_id, limit: query.limit });
  const { keyset, values } = select(statements, query);
  const [row] = await selectPage(ctx, keyset, page, [...values, ...more]);
  return row?.count ?? 0;
}
