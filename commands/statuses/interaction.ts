import type { Visibility } from '../../src/events/accounts.ts';
import type { InteractionEvent } from '../../src/events/interactions.ts';
import type { Decider } from '../../src/kernel/decider.ts';
import type { Id } from '../../src/kernel/ids.ts';

/** What one account did to one post, or to one thread. */
export interface Interaction {
  /** The id of the favourite; null for none. */
  favourited: Id | null;
  bookmarked: boolean;
  reblog?: { id: string; visibility: Visibility };
  muted: boolean;
}

/** Streams `interaction-<account>-<status>`. Who acts on which post of whom. */
export interface Target {
  account_id: string;
  status_id: string;
  status_account_id: string;
}

export const interaction: Decider<Interaction, InteractionEvent> = {
  initialState: { favourited: null, bookmarked: false, muted: false },
  evolve(state, event) {
    switch (event.type) {
      case 'StatusFavourited':
        return { ...state, favourited: event.data.id };
      case 'StatusUnfavourited':
        return { ...state, favourited: null };
      case 'StatusBookmarked':
        return { ...state, bookmarked: true };
      case 'StatusUnbookmarked':
        return { ...state, bookmarked: false };
      case 'StatusReblogged':
        return { ...state, reblog: { id: event.data.id, visibility: event.data.visibility } };
      case 'StatusUnreblogged': {
        const { reblog: _, ...rest } = state;
        return rest;
      }
      case 'ThreadMuted':
        return { ...state, muted: true };
      case 'ThreadUnmuted':
        return { ...state, muted: false };
    }
  },
};
