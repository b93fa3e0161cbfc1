import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { json, jsonArray, type JsonPieces } from '#kernel/json-pieces.ts';
import {
  ENDLESS,
  keysetStatement,
  linksOf,
  newestFirst,
  pageParameters,
  pageRequest,
} from '#kernel/paging.ts';
import { MAIN, NOTIFICATIONS } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { members, parseReady, printReady } from '#mastodon/ready-json.ts';
import { accountSchema, groupedNotificationsSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { listAccounts, type ListedAccount } from '../entities/account-page.ts';
import { readyArray } from '../entities/ready-json.ts';
import { toldBy } from '../visibility/notifications.ts';
import { statusTexts, subjectMembers } from './entity.ts';
import { expandAccountsParameter, isPartial } from './expand-accounts.ts';
import { fallbackMember, supportedTypesParameter } from './fallback.ts';
import { parseGroupKey } from './group-key.ts';
import { groupByKey, groupedTypesParameter, groupPage, type GroupRow, newestOf } from './groups.ts';
import { unroundedPage } from './rounded.ts';
import { selectionParameters } from './selection.ts';

const groupKeyParams = z.object({
  group_key: z.string().max(100).describe('The key of the group, as lists of grouped notifications give it.'),
});

/** https://docs.joinmastodon.org/methods/grouped_notifications/#get-grouped */
export const listGroups = endpoint({
  method: 'GET',
  path: '/api/v2/notifications',
  summary: 'View notifications in groups',
  auth: 'user',
  scopes: ['read:notifications'],
  query: z.object({
    ...pageParameters(40, 80),
    ...selectionParameters,
    ...groupedTypesParameter,
    ...supportedTypesParameter,
    ...expandAccountsParameter,
  }),
  reads: [MAIN, NOTIFICATIONS],
  reply: groupedNotificationsSchema,
  errors: [400],
  handler: async (ctx, { query }) => {
    const partial = isPartial(query.expand_accounts);
    const page = await unroundedPage(ctx, pageRequest(query, ENDLESS));
    const groups = newestFirst(await groupPage(ctx, page, query), page);
    return {
      text: await groupsText(ctx, groups, { paged: true, partial, supported: query.supported_types }),
      page: linksOf(groups, page, ({ id }) => id),
    };
  },
});

/** https://docs.joinmastodon.org/methods/grouped_notifications/#get-notification-group */
export const showGroup = endpoint({
  method: 'GET',
  path: '/api/v2/notifications/:group_key',
  summary: 'View a group of notifications',
  auth: 'user',
  scopes: ['read:notifications'],
  params: groupKeyParams,
  query: z.object(supportedTypesParameter),
  reads: [MAIN, NOTIFICATIONS],
  reply: groupedNotificationsSchema,
  handler: async (ctx, { params, query }) => {
    const group = await groupByKey(ctx, params.group_key);
    if (!group) throw notFound();
    const supported = query.supported_types;
    return { text: await groupsText(ctx, [group], { paged: false, partial: false, supported }) };
  },
});

const GROUP_ACCOUNTS = keysetStatement<ListedAccount>(
  'notification_group_accounts',
  (order) => `
    select n.id as cursor, ${ACCOUNT_COLUMNS}
    from notifications n join accounts a on a.id = n.from_account_id ${ACCOUNT_STATS}
    where n.account_id = $1 and n.id < $2 and n.id > $3 and n.type = $5 and n.status_id = $6 and n.id between $7 and $8 and n.span = $9
      and ${toldBy('$1')}
    order by n.id ${order} limit $4`,
);
const ACCOUNT_OF_ONE = keysetStatement<ListedAccount>(
  'notification_account',
  (order) => `
    select n.id as cursor, ${ACCOUNT_COLUMNS}
    from notifications n join accounts a on a.id = n.from_account_id ${ACCOUNT_STATS}
    where n.account_id = $1 and n.id < $2 and n.id > $3 and n.id = $5 and ${toldBy('$1')}
    order by n.id ${order} limit $4`,
);

/**
 * The documentation requires a scope to write, and Mastodon one to read; either is accepted. A missing group
 * has no accounts.
 */
export const listGroupAccounts = endpoint({
  method: 'GET',
  path: '/api/v2/notifications/:group_key/accounts',
  summary: 'View the accounts of a group of notifications',
  auth: 'user',
  scopes: ['read:notifications', 'write:notifications'],
  params: groupKeyParams,
  query: z.object(pageParameters(40, 80)),
  reads: [MAIN, NOTIFICATIONS],
  reply: z.array(accountSchema),
  handler: async (ctx, { params, query }) => {
    const range = parseGroupKey(params.group_key);
    // The newest notification is looked up with all rules; a hidden group has no accounts either.
    if (!range || (await newestOf(ctx, range)) === undefined) return { json: [] };
    if (range.id !== undefined) return listAccounts(ctx, ACCOUNT_OF_ONE, query, [range.id]);
    const { type, statusId, first, last, span } = range;
    return listAccounts(ctx, GROUP_ACCOUNTS, query, [type, statusId, first, last, span]);
  },
});

/** In the order in which groups name them. */
const ACCOUNTS = statement<AccountRow>(
  'notification_groups_accounts',
  `select ${ACCOUNT_COLUMNS} from unnest((select $1::bigint[])) with ordinality as q (id, n)
   join accounts a on a.id = q.id ${ACCOUNT_STATS} order by q.n`,
);

/**
 * Renders groups and the entities that they reference, each once. A group whose status was hidden a moment
 * ago is left out.
 */
async function groupsText(
  ctx: UserContext,
  rows: readonly GroupRow[],
  {
    paged,
    partial,
    supported,
  }: { paged: boolean; partial: boolean; supported: readonly string[] | undefined },
): Promise<JsonPieces> {
  const samples = [...new Set(rows.flatMap((row) => row.sample_account_ids))];
  const [statuses, subjects, accounts] = await Promise.all([
    statusTexts(
      ctx,
      rows.map(({ status_id }) => status_id),
    ),
    subjectMembers(ctx, rows),
    ctx.db.query(ACCOUNTS, [samples]),
  ]);
  const groups = rows.filter(({ status_id }) => status_id === '0' || statuses.has(status_id));
  // The newest account of a group is always included in full.
  const inFull = new Set(groups.map(({ sample_account_ids: [newest] }) => newest));
  const full = partial ? accounts.filter(({ account_id }) => inFull.has(account_id)) : accounts;
  const rest = partial ? accounts.filter(({ account_id }) => !inFull.has(account_id)) : [];
  const partials = partial
    ? json`,"partial_accounts":${readyArray(rest.map(partialAccountJson), ctx.instance)}`
    : '';
  return json`{"accounts":${readyArray(full.map(accountJson), ctx.instance)}${partials},"statuses":${jsonArray(
    statuses.values(),
  )},"notification_groups":${jsonArray(
    groups.map((row) => {
      const newest = accounts.find(({ account_id }) => account_id === row.sample_account_ids[0]);
      const others = row.notifications_count - 1;
      const fallback = fallbackMember(row.type, supported, newest, ctx.instance, others);
      return `{${groupMembers(row, paged)}${subjects.get(row.id) ?? ''}${fallback}}`;
    }),
  )}}`;
}

/**
 * https://docs.joinmastodon.org/methods/grouped_notifications/#NotificationGroup. The id that is a number is
 * written as it is: JavaScript would round it.
 */
const groupMembers = (row: GroupRow, paged: boolean): string =>
  `${members({
    group_key: row.group_key,
    notifications_count: row.notifications_count,
    type: row.type,
  })},"most_recent_notification_id":${row.id},${members({
    ...(paged
      ? { page_min_id: row.page_min_id, page_max_id: row.id, latest_page_notification_at: row.created_at }
      : {}),
    sample_account_ids: row.sample_account_ids,
    ...(row.status_id === '0' ? {} : { status_id: row.status_id }),
  })}`;

const PARTIAL = ['id', 'acct', 'url', 'avatar', 'avatar_static', 'locked', 'bot'];

function partialAccountJson({ account_body }: AccountRow): string {
  const account = parseReady(`{${account_body}}`) as Record<string, unknown>;
  return printReady(Object.fromEntries(PARTIAL.map((name) => [name, account[name]])));
}
