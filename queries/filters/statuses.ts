import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParam, idParams } from '#kernel/input.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type FilterStatus, filterStatusSchema } from '#mastodon/schemas/index.ts';
import { visibleTo } from '../visibility/statuses.ts';
import { ownFilterOf } from './read.ts';

const STATUS = statement<FilterStatus>(
  'filter_status',
  'select id, status_id from filter_statuses where id = $1 and account_id = $2',
);
const VISIBLE = statement<{ id: string }>(
  'filter_status_visible',
  `select s.id from statuses s join accounts a on a.id = s.account_id where s.id = $1 and ${visibleTo('$2')}`,
);

/** Throws RookeryError `not_found` for another user's entry, like for a missing one. */
export async function ownFilterStatusOf(db: Db, accountId: Id, id: Id): Promise<FilterStatus> {
  const [status] = await db.query(STATUS, [id, accountId]);
  if (!status) throw notFound();
  return status;
}

/** Returns true if the account may see the status, so that its filter may contain it. */
export const statusIsVisible = async (db: Db, accountId: Id, statusId: Id): Promise<boolean> =>
  (await db.query(VISIBLE, [statusId, accountId])).length > 0;

export const listFilterStatuses = endpoint({
  method: 'GET',
  path: '/api/v2/filters/:filter_id/statuses',
  summary: 'View the statuses that a filter names',
  auth: 'user',
  scopes: ['read:filters'],
  params: z.object({ filter_id: idParam.describe('The ID of the filter.') }),
  reply: z.array(filterStatusSchema),
  handler: async (ctx, { params }) => {
    return { json: (await ownFilterOf(ctx.db, ctx.viewer.account_id, params.filter_id)).statuses };
  },
});

/** The id is that of the entry. */
export const showFilterStatus = endpoint({
  method: 'GET',
  path: '/api/v2/filters/statuses/:id',
  summary: 'View a status that a filter names',
  auth: 'user',
  scopes: ['read:filters'],
  params: idParams,
  reply: filterStatusSchema,
  handler: async (ctx, { params }) => {
    return { json: await ownFilterStatusOf(ctx.db, ctx.viewer.account_id, params.id) };
  },
});
