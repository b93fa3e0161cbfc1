import type { PreviewCardData } from '../../src/events/preview-card.ts';
import type { StatusData, StatusEvent } from '../../src/events/statuses.ts';
import type { Decider } from '../../src/kernel/decider.ts';
import { notFound } from '../../src/kernel/errors.ts';

/** What a decision about one post rests on. */
export type Status =
  | { state: 'none' }
  | {
      state: 'visible' | 'deleted';
      /** As it stands, edits included. */
      data: StatusData;
      pinned: boolean;
      pollClosed: boolean;
      /** Of its link. */
      card: PreviewCardData | null;
      /** The post that it quoted until that one's author took the permission back. */
      revokedQuoteId: string | null;
    };

/** Stream `status-<id>`. */
export const status: Decider<Status, StatusEvent> = {
  initialState: { state: 'none' },
  evolve(state, event) {
    if (event.type === 'StatusCreated') {
      const rest = { pinned: false, pollClosed: false, card: null, revokedQuoteId: null };
      return { state: 'visible', data: event.data, ...rest };
    }
    if (state.state === 'none') return state;
    switch (event.type) {
      case 'StatusEdited': {
        const { edit_id: _, edited_at: __, ...data } = event.data;
        const samePoll = data.poll?.id === state.data.poll?.id;
        return { ...state, data, pollClosed: samePoll && state.pollClosed };
      }
      case 'StatusDeleted':
        return { ...state, state: 'deleted', pinned: false };
      case 'StatusPinned':
        return { ...state, pinned: true };
      case 'StatusUnpinned':
        return { ...state, pinned: false };
      case 'PollClosed':
        return { ...state, pollClosed: true };
      case 'QuotePolicyChanged':
        return { ...state, data: { ...state.data, quote_policy: event.data.quote_policy } };
      case 'PreviewCardAttached':
        return { ...state, card: event.data.card };
      case 'QuoteRevoked':
        return { ...state, data: { ...state.data, quote: null }, revokedQuoteId: event.data.quoted_id };
    }
  },
};

/** A post of this account that is there. @throws RookeryError `not_found` */
export function requireOwnPost(state: Status, accountId: string): StatusData {
  if (state.state !== 'visible' || state.data.account_id !== accountId) throw notFound();
  return state.data;
}
