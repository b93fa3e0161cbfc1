import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { jsonArray } from '#kernel/json-pieces.ts';
import { ENDLESS, linksOf, newestFirst, pageParameters, pageRequest, selectPage } from '#kernel/paging.ts';
import { MAIN, NOTIFICATIONS } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { notificationSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_STATS } from '../entities/account.ts';
import { notificationShownTo } from '../visibility/notifications.ts';
import { NOTIFICATION_COLUMNS, type NotificationRow, notificationTexts } from './entity.ts';
import { supportedTypesParameter } from './fallback.ts';
import { unrounded, unroundedPage } from './rounded.ts';
import { select, selectionParameters, selectionStatements } from './selection.ts';

const PAGE = selectionStatements<NotificationRow>(
  'notifications_page',
  (order, selected) => `
    with page as materialized (
      select n.* from notifications n where ${selected} order by n.id ${order} limit $4
    )
    select ${NOTIFICATION_COLUMNS} from page n join accounts a on a.id = n.from_account_id ${ACCOUNT_STATS}
    order by n.id ${order}`,
);
const ONE = statement<NotificationRow>(
  'notification',
  `select ${NOTIFICATION_COLUMNS} from notifications n join accounts a on a.id = n.from_account_id ${ACCOUNT_STATS}
   where n.account_id = $1 and n.id = $2 and ${notificationShownTo('$1')}`,
);

/** https://docs.joinmastodon.org/methods/notifications/#get */
export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/v1/notifications',
  summary: 'View notifications',
  auth: 'user',
  scopes: ['read:notifications'],
  query: z.object({ ...pageParameters(40, 80), ...selectionParameters, ...supportedTypesParameter }),
  reads: [MAIN, NOTIFICATIONS],
  reply: z.array(notificationSchema),
  handler: async (ctx, { query }) => {
    const page = await unroundedPage(ctx, pageRequest(query, ENDLESS));
    const { keyset, values } = select(PAGE, query);
    const rows = newestFirst(await selectPage(ctx, keyset, page, values), page);
    return {
      text: jsonArray(await notificationTexts(ctx, rows, query.supported_types)),
      page: linksOf(rows, page, ({ id }) => id),
    };
  },
});

/** Returns filtered notifications too. https://docs.joinmastodon.org/methods/notifications/#get-one */
export const showNotification = endpoint({
  method: 'GET',
  path: '/api/v1/notifications/:id',
  summary: 'View a notification',
  auth: 'user',
  scopes: ['read:notifications'],
  params: idParams,
  query: z.object(supportedTypesParameter),
  reads: [MAIN, NOTIFICATIONS],
  reply: notificationSchema,
  handler: async (ctx, { params, query }) => {
    const row = await ownNotification(ctx, await unrounded(ctx, params.id));
    const [text] = await notificationTexts(ctx, [row], query.supported_types);
    if (text === undefined) throw notFound();
    return { text };
  },
});

/** Throws RookeryError `not_found` for an unknown, dismissed or hidden one. */
export async function ownNotification(ctx: UserContext, id: string): Promise<NotificationRow> {
  const [row] = await ctx.db.query(ONE, [ctx.viewer.account_id, id]);
  if (!row) throw notFound();
  return row;
}

const NEWEST = statement<{ id: string | null }>(
  'notifications_newest',
  'select max(id) as id from notifications where account_id = $1',
);

/** Returns the id of the newest notification, shown or not; undefined for none. */
export async function newestNotification(ctx: UserContext): Promise<string | undefined> {
  const [row] = await ctx.db.query(NEWEST, [ctx.viewer.account_id]);
  return row?.id ?? undefined;
}
