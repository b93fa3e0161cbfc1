import { listStream, type ListEvent } from '../../src/events/lists.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { list, type List } from './list.ts';

/** A member of a list, with the follow or follow request that the membership depends on. */
export interface Member {
  account_id: Id;
  follow_id: Id;
}

/** Replaces a moved account in a list by the new one, if it is a member. */
export async function goAlongInList(
  ctx: CommandContext,
  accountId: Id,
  listId: Id,
  change: { from: Member; to: Member },
): Promise<void> {
  await ctx.execute(listStream(listId), list, (state) => decideGoAlong(state, accountId, change));
}

/** The number of members stays the same, so there is room. Pure. */
export function decideGoAlong(
  state: List,
  accountId: Id,
  { from, to }: { from: Member; to: Member },
): ListEvent[] {
  if (state.state !== 'exists' || state.account_id !== accountId) return [];
  const { list_id, account_id, members } = state;
  if (members.get(from.account_id) !== from.follow_id) return [];
  const left: ListEvent = {
    type: 'ListAccountsRemoved',
    data: { list_id, account_id, account_ids: [from.account_id] },
  };
  if (members.get(to.account_id) === to.follow_id) return [left];
  return [left, { type: 'ListAccountsAdded', data: { list_id, account_id, members: [to] } }];
}
