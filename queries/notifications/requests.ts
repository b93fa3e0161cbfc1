import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { json, jsonArray, type JsonPieces } from '#kernel/json-pieces.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { MAIN, NOTIFICATIONS } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { members } from '#mastodon/ready-json.ts';
import { notificationRequestSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { statusTexts } from './entity.ts';
import { filteredOf } from './filtered.ts';

interface RequestRow extends AccountRow {
  id: string;
  created_at: string;
  updated_at: string;
  notifications_count: number;
  last_status_id: string | null;
}

const REQUEST = `q.id, q.created_at, c.updated_at, c.notifications_count, c.last_status_id, ${ACCOUNT_COLUMNS}
  from notification_requests q join accounts a on a.id = q.from_account_id ${ACCOUNT_STATS}
  cross join lateral ${filteredOf('q', '$1')} c
  where q.account_id = $1 and c.notifications_count > 0`;
const PAGE = keysetStatement<RequestRow>(
  'notification_requests_page',
  (order) => `select ${REQUEST} and q.id < $2 and q.id > $3 order by q.id ${order} limit $4`,
);
const SOME = statement<RequestRow>('notification_requests_some', `select ${REQUEST} and q.id = any($2)`);

/** https://docs.joinmastodon.org/methods/notifications/#get-requests */
export const listRequests = endpoint({
  method: 'GET',
  path: '/api/v1/notifications/requests',
  summary: 'View whose notifications were filtered',
  auth: 'user',
  scopes: ['read:notifications'],
  query: z.object(pageParameters(40, 80)),
  reads: [MAIN, NOTIFICATIONS],
  reply: z.array(notificationRequestSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, PAGE, query, ({ id }) => id);
    return { text: jsonArray(await requestJsons(ctx, rows)), page };
  },
});

/** https://docs.joinmastodon.org/methods/notifications/#get-one-request */
export const showRequest = endpoint({
  method: 'GET',
  path: '/api/v1/notifications/requests/:id',
  summary: 'View what was filtered of one account',
  auth: 'user',
  scopes: ['read:notifications'],
  params: idParams,
  reads: [MAIN, NOTIFICATIONS],
  reply: notificationRequestSchema,
  handler: async (ctx, { params }) => {
    const [text] = await requestJsons(ctx, await requestRows(ctx, [params.id]));
    if (!text) throw notFound();
    return { text };
  },
});

/**
 * Always true: accepting is one event, and the reply waits until it is projected, so nothing is left to
 * merge.
 */
export const requestsMerged = endpoint({
  method: 'GET',
  path: '/api/v1/notifications/requests/merged',
  summary: 'Check whether accepted requests are among the notifications',
  auth: 'user',
  scopes: ['read:notifications'],
  reads: [MAIN, NOTIFICATIONS],
  reply: z.strictObject({ merged: z.boolean() }),
  handler: async (ctx) => {
    await ctx.waitForReadModels();
    return { json: { merged: true } };
  },
});

/** A request to the viewer, with the fields that an answer needs. */
export interface PendingRequest {
  id: string;
  from_account_id: string;
}

/** Returns those of the ids that are requests to the viewer. */
export async function pendingRequests(ctx: UserContext, ids: readonly string[]): Promise<PendingRequest[]> {
  const rows = await requestRows(ctx, ids);
  return rows.map(({ id, account_id }) => ({ id, from_account_id: account_id }));
}

async function requestRows(ctx: UserContext, ids: readonly string[]): Promise<RequestRow[]> {
  return ctx.db.query(SOME, [ctx.viewer.account_id, ids]);
}

/** https://docs.joinmastodon.org/entities/NotificationRequest/ */
async function requestJsons(ctx: UserContext, rows: readonly RequestRow[]): Promise<JsonPieces[]> {
  const statuses = await statusTexts(
    ctx,
    rows.map(({ last_status_id }) => last_status_id),
  );
  return rows.map((row) => {
    const { id, created_at, updated_at } = row;
    const notifications_count = String(row.notifications_count);
    const facts = members({ id, created_at, updated_at, notifications_count });
    const account = fillOrigins(accountJson(row), ctx.instance);
    return json`{${facts},"account":${account},"last_status":${statuses.get(row.last_status_id ?? '0') ?? 'null'}}`;
  });
}
