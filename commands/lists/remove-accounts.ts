import { z } from 'zod';
import { type ListEvent, listStream } from '#events/lists.ts';
import { endpoint } from '#kernel/endpoint.ts';
import type { Id } from '#kernel/ids.ts';
import { formStringArray, idParams } from '#kernel/input.ts';
import { useCase } from '../use-case.ts';
import { MAX_MEMBERS } from './add-accounts.ts';
import { type List, list, ownList } from './list.ts';

export const removeListAccounts = endpoint({
  method: 'DELETE',
  path: '/api/v1/lists/:id/accounts',
  summary: 'Remove accounts from a list',
  auth: 'user',
  scopes: ['write:lists'],
  params: idParams,
  body: z.object({
    account_ids: formStringArray(MAX_MEMBERS, 40)
      .default([])
      .describe(`IDs of accounts to remove, at most ${MAX_MEMBERS}; others are ignored.`),
  }),
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id }, body }) => {
    await removeFromList(ctx, { accountId: ctx.viewer.account_id, listId: id, ids: body.account_ids });
    return { json: {} };
  },
});

/** @throws RookeryError `not_found` */
export const removeFromList = useCase({
  stream: ({ listId }: RemoveAccounts) => listStream(listId),
  decider: list,
  decide: (state, { accountId, ids }) => decideRemove(state, accountId, ids),
  step: ({ ids }) => ids.join(),
});

interface RemoveAccounts {
  accountId: Id;
  listId: Id;
  ids: readonly string[];
}

/** Skips accounts that are no members. Pure. @throws RookeryError `not_found` */
export function decideRemove(state: List, accountId: Id, ids: readonly string[]): ListEvent[] {
  const { list_id, account_id, members } = ownList(state, accountId);
  const removed = [...new Set(ids)].filter((id) => members.has(id));
  return removed.length === 0
    ? []
    : [{ type: 'ListAccountsRemoved', data: { list_id, account_id, account_ids: removed } }];
}
