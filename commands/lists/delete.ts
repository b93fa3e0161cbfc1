import { z } from 'zod';
import { listStream, type ListEvent } from '../../src/events/lists.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { idParams } from '../../src/kernel/input.ts';
import { list, ownList, type List } from './list.ts';

export const deleteList = endpoint({
  method: 'DELETE',
  path: '/api/v1/lists/:id',
  summary: 'Delete a list',
  auth: 'user',
  scopes: ['write:lists'],
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    await deleteListAs(ctx, ctx.viewer.account_id, id);
    return { json: {} };
  },
});

/** @throws RookeryError `not_found` */
export async function deleteListAs(ctx: CommandContext, accountId: Id, listId: Id): Promise<void> {
  await ctx.execute(listStream(listId), list, (state) => decideDelete(state, accountId));
}

/** Pure. @throws RookeryError `not_found` */
export function decideDelete(state: List, accountId: Id): ListEvent[] {
  const { list_id, account_id } = ownList(state, accountId);
  return [{ type: 'ListDeleted', data: { list_id, account_id } }];
}
