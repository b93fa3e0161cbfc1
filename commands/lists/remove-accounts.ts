import { z } from 'zod';
import { listStream, type ListEvent } from '../../src/events/lists.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { formStringArray, idParams } from '../../src/kernel/input.ts';
import { MAX_MEMBERS } from './add-accounts.ts';
import { list, ownList, type List } from './list.ts';

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
    await removeFromList(ctx, ctx.viewer.account_id, id, body.account_ids);
    return { json: {} };
  },
});

/** @throws RookeryError `not_found` */
export async function removeFromList(
  ctx: CommandContext,
  accountId: Id,
  listId: Id,
  ids: readonly string[],
): Promise<void> {
  await ctx.execute(listStream(listId), list, (state) => decideRemove(state, accountId, ids), {
    step: ids.join(),
  });
}

/** Skips accounts that are no members. Pure. @throws RookeryError `not_found` */
export function decideRemove(state: List, accountId: Id, ids: readonly string[]): ListEvent[] {
  const { list_id, account_id, members } = ownList(state, accountId);
  const removed = [...new Set(ids)].filter((id) => members.has(id));
  return removed.length === 0
    ? []
    : [{ type: 'ListAccountsRemoved', data: { list_id, account_id, account_ids: removed } }];
}
