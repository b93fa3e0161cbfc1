import type { ListEvent, RepliesPolicy } from '#events/lists.ts';
import type { Decider } from '#kernel/decider.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

export interface ListSettings {
  title: string;
  replies_policy: RepliesPolicy;
  exclusive: boolean;
}

export interface ExistingList extends ListSettings {
  state: 'exists';
  list_id: Id;
  account_id: Id;
  /** The members, with the follow that each membership needs. */
  members: ReadonlyMap<Id, Id>;
}

/** Stream `list-<id>`. */
export type List = { state: 'none' | 'deleted' } | ExistingList;

export const list: Decider<List, ListEvent> = {
  initialState: { state: 'none' },
  evolve(state, event) {
    if (event.type === 'ListCreated') return { state: 'exists', ...event.data, members: new Map() };
    return state.state === 'exists' ? evolveExisting(state, event) : state;
  },
};

/** @throws RookeryError `not_found` for another user's list, like for a missing one */
export function ownList(state: List, accountId: Id): ExistingList {
  if (state.state !== 'exists' || state.account_id !== accountId) throw notFound();
  return state;
}

function evolveExisting(state: ExistingList, event: Exclude<ListEvent, { type: 'ListCreated' }>): List {
  switch (event.type) {
    case 'ListUpdated': {
      const { title, replies_policy, exclusive } = event.data;
      return {
        ...state,
        title: title ?? state.title,
        replies_policy: replies_policy ?? state.replies_policy,
        exclusive: exclusive ?? state.exclusive,
      };
    }
    case 'ListAccountsAdded': {
      const added = event.data.members.map((member) => [member.account_id, member.follow_id] as const);
      return { ...state, members: new Map([...state.members, ...added]) };
    }
    case 'ListAccountsRemoved': {
      const removed = new Set(event.data.account_ids);
      return { ...state, members: new Map([...state.members].filter(([id]) => !removed.has(id))) };
    }
    case 'ListDeleted':
      return { state: 'deleted' };
  }
}
