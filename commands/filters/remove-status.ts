import { z } from 'zod';
import { type FilterEvent, filterStream } from '#events/filters.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { filterIdOfStatus } from '#queries/filters/index.ts';
import { type Filter, filter, ownFilter } from './filter.ts';

/** The id is that of the entry. */
export const removeStatus = endpoint({
  method: 'DELETE',
  path: '/api/v2/filters/statuses/:id',
  summary: 'Remove a status from its filter',
  auth: 'user',
  scopes: ['write:filters'],
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    const accountId = ctx.viewer.account_id;
    const filterId = await filterIdOfStatus(ctx.db, accountId, id);
    await ctx.execute(filterStream(filterId), filter, (state) => decideRemoveStatus(state, accountId, id));
    return { json: {} };
  },
});

/** Pure. @throws RookeryError `not_found` */
export function decideRemoveStatus(state: Filter, accountId: Id, id: Id): FilterEvent[] {
  const { filter_id, account_id, statuses } = ownFilter(state, accountId);
  const statusId = statuses.get(id);
  if (statusId === undefined) throw notFound();
  return [{ type: 'FilterStatusRemoved', data: { filter_id, account_id, id, status_id: statusId } }];
}
