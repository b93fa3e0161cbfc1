import type { FilterAction, FilterContext, FilterEvent, FilterKeyword } from '#events/filters.ts';
import type { Decider } from '#kernel/decider.ts';
import { conflict, notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

export interface FilterSettings {
  title: string;
  context: readonly FilterContext[];
  filter_action: FilterAction;
  /** ISO 8601; null for never. */
  expires_at: string | null;
}

export interface ExistingFilter extends FilterSettings {
  state: 'exists';
  filter_id: Id;
  account_id: Id;
  keywords: ReadonlyMap<Id, Omit<FilterKeyword, 'id'>>;
  /** The statuses of the filter, by the id of the entry. */
  statuses: ReadonlyMap<Id, Id>;
}

/** Stream `filter-<id>`. */
export type Filter = { state: 'none' | 'deleted' } | ExistingFilter;

export const filter: Decider<Filter, FilterEvent> = {
  initialState: { state: 'none' },
  evolve(state, event) {
    if (event.type === 'FilterCreated') {
      const { keywords, ...data } = event.data;
      return { state: 'exists', ...data, keywords: withKeywords(new Map(), keywords), statuses: new Map() };
    }
    return state.state === 'exists' ? evolveExisting(state, event) : state;
  },
};

/** @throws RookeryError `not_found` for another user's filter, like for a missing one */
export function ownFilter(state: Filter, accountId: Id): ExistingFilter {
  if (state.state !== 'exists' || state.account_id !== accountId) throw notFound();
  return state;
}

/** @throws RookeryError `conflict` when another process drew the same id */
export function requireNone({ state }: Filter): void {
  if (state !== 'none') throw conflict();
}

function evolveExisting(
  state: ExistingFilter,
  event: Exclude<FilterEvent, { type: 'FilterCreated' }>,
): Filter {
  switch (event.type) {
    case 'FilterUpdated': {
      const { title, context, filter_action, expires_at } = event.data;
      return {
        ...state,
        title: title ?? state.title,
        context: context ?? state.context,
        filter_action: filter_action ?? state.filter_action,
        expires_at: expires_at === undefined ? state.expires_at : expires_at,
      };
    }
    case 'FilterKeywordsEdited': {
      const { added, changed, removed } = event.data;
      const keywords = withKeywords(state.keywords, [...added, ...changed]);
      for (const id of removed) keywords.delete(id);
      return { ...state, keywords };
    }
    case 'FilterStatusAdded':
      return { ...state, statuses: new Map([...state.statuses, [event.data.id, event.data.status_id]]) };
    case 'FilterStatusRemoved':
      return { ...state, statuses: new Map([...state.statuses].filter(([id]) => id !== event.data.id)) };
    case 'FilterDeleted':
      return { state: 'deleted' };
  }
}

const withKeywords = (
  known: ExistingFilter['keywords'],
  keywords: readonly FilterKeyword[],
): Map<Id, Omit<FilterKeyword, 'id'>> =>
  new Map([...known, ...keywords.map(({ id, ...keyword }) => [id, keyword] as const)]);
