import { type ListEvent, listStream } from '#events/lists.ts';
import type { Id } from '#kernel/ids.ts';
import { useCase } from '../use-case.ts';
import { type List, list } from './list.ts';

/** A member of a list, with the follow or follow request that the membership depends on. */
export interface Member {
  account_id: Id;
  follow_id: Id;
}

/** Replaces a moved account in a list by the new one, if it is a member. */
export const moveMember = useCase({
  stream: ({ listId }: MoveMember) => listStream(listId),
  decider: list,
  decide: (state, { accountId, ...change }) => decideMoveMember(state, accountId, change),
});

interface MoveMember {
  accountId: Id;
  listId: Id;
  from: Member;
  to: Member;
}

/** The number of members stays the same, so there is room. Pure. */
export function decideMoveMember(
  state: List,
  accountId: Id,
  { from, to }: Pick<MoveMember, 'from' | 'to'>,
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
