import { z } from 'zod';
import { type FilterEvent, filterStream } from '#events/filters.ts';
import { endpoint } from '#kernel/endpoint.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { type Filter, filter, ownFilter } from './filter.ts';

export const deleteFilter = endpoint({
  method: 'DELETE',
  path: '/api/v2/filters/:id',
  summary: 'Delete a filter',
  auth: 'user',
  scopes: ['write:filters'],
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    await ctx.execute(filterStream(id), filter, (state) => decideDelete(state, ctx.viewer.account_id));
    return { json: {} };
  },
});

/** Pure. @throws RookeryError `not_found` */
export function decideDelete(state: Filter, accountId: Id): FilterEvent[] {
  const { filter_id, account_id } = ownFilter(state, accountId);
  return [{ type: 'FilterDeleted', data: { filter_id, account_id } }];
}
