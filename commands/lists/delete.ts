import { z } from 'zod';
import { type ListEvent, listStream } from '#events/lists.ts';
import { endpoint } from '#kernel/endpoint.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { useCase } from '../use-case.ts';
import { type List, list, ownList } from './list.ts';

export const deleteList = endpoint({
  method: 'DELETE',
  path: '/api/v1/lists/:id',
  summary: 'Delete a list',
  auth: 'user',
  scopes: ['write:lists'],
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    await deleteListAs(ctx, { accountId: ctx.viewer.account_id, listId: id });
    return { json: {} };
  },
});

/** @throws RookeryError `not_found` */
export const deleteListAs = useCase({
  stream: ({ listId }: ListOfOwner) => listStream(listId),
  decider: list,
  decide: (state, { accountId }) => decideDelete(state, accountId),
});

interface ListOfOwner {
  accountId: Id;
  listId: Id;
}

/** Pure. @throws RookeryError `not_found` */
export function decideDelete(state: List, accountId: Id): ListEvent[] {
  const { list_id, account_id } = ownList(state, accountId);
  return [{ type: 'ListDeleted', data: { list_id, account_id } }];
}
