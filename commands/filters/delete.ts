import { z } from 'zod';
import { filterStream, type FilterEvent } from '../../src/events/filters.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { idParams } from '../../src/kernel/input.ts';
import { filter, ownFilter, type Filter } from './filter.ts';

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
