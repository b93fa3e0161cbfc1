import type { Visibility } from '#events/accounts.ts';
import type { InteractionEvent, ReblogRequested } from '#events/interactions.ts';
import type { Decider } from '#kernel/decider.ts';
import type { EventOf } from '#kernel/event.ts';
import type { Id } from '#kernel/ids.ts';

/** The interactions of one account with one post, or with one thread. */
export interface Interaction {
  /** The id of the favourite, or null. */
  favourited: Id | null;
  bookmarked: boolean;
  reblog?: { id: string; visibility: Visibility };
  /** The favourite and the reblog that wait for approval by the author. */
  requested: { favourite?: Id; reblog?: RequestedReblog };
  muted: boolean;
}

/** A reblog by an account of any server. */
export interface Reblog extends Target {
  id: string;
  /** By a local account. */
  local: boolean;
  now: string;
  uri: string;
  visibility: Visibility;
}

export type RequestedReblog = Pick<
  EventOf<typeof ReblogRequested>['data'],
  'id' | 'visibility' | 'created_at' | 'local' | 'uri'
>;

/** Streams `interaction-<account>-<status>`. The actor, the post and its author. */
export interface Target {
  account_id: string;
  status_id: string;
  status_account_id: string;
}

export const interaction: Decider<Interaction, InteractionEvent> = {
  initialState: { favourited: null, bookmarked: false, requested: {}, muted: false },
  evolve(state, event) {
    switch (event.type) {
      case 'StatusFavourited':
        return { ...state, favourited: event.data.id, requested: without(state.requested, 'favourite') };
      case 'StatusUnfavourited':
        return { ...state, favourited: null };
      case 'StatusBookmarked':
        return { ...state, bookmarked: true };
      case 'StatusUnbookmarked':
        return { ...state, bookmarked: false };
      case 'StatusReblogged':
        return {
          ...state,
          reblog: { id: event.data.id, visibility: event.data.visibility },
          requested: without(state.requested, 'reblog'),
        };
      case 'StatusUnreblogged': {
        const { reblog: _, ...rest } = state;
        return rest;
      }
      case 'FavouriteRequested':
        return { ...state, requested: { ...state.requested, favourite: event.data.id } };
      case 'FavouriteRequestEnded':
        return { ...state, requested: without(state.requested, 'favourite') };
      case 'ReblogRequested': {
        const { id, visibility, created_at, local, uri } = event.data;
        return {
          ...state,
          requested: { ...state.requested, reblog: { id, visibility, created_at, local, uri } },
        };
      }
      case 'ReblogRequestEnded':
        return { ...state, requested: without(state.requested, 'reblog') };
      case 'ThreadMuted':
        return { ...state, muted: true };
      case 'ThreadUnmuted':
        return { ...state, muted: false };
    }
  },
};

function without(
  requested: Interaction['requested'],
  name: keyof Interaction['requested'],
): Interaction['requested'] {
  const { [name]: _, ...rest } = requested;
  return rest;
}
