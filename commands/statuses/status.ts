import { describedMedia } from '#events/media-attachment.ts';
import type { PreviewCardData } from '#events/preview-card.ts';
import type { QuoteEvent } from '#events/quotes.ts';
import type { InteractionPolicy, StatusData, StatusEvent } from '#events/statuses.ts';
import type { Decider } from '#kernel/decider.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { markWithout, type SensitiveMark } from './sensitive-mark.ts';

/** The state for decisions about one post. */
export type Status =
  | { state: 'none' }
  | {
      /** `requested`: a reply that waits for approval by another author. */
      state: 'requested' | 'visible' | 'deleted';
      /** The present content, including edits. */
      data: StatusData;
      /** The URI of the unknown post that it replies to. */
      inReplyToUri: string | null;
      /** The time of the last edit; ISO 8601. */
      editedAt: string | null;
      pinned: boolean;
      pollClosed: boolean;
      /** The last result from the post's own server; null without one. */
      tally: PollTally | null;
      /** The card of its link. */
      card: PreviewCardData | null;
      /** The authorization that its quote names, verified or not. */
      quoteAuthorization: string | null;
      /** Present while staff's mark as sensitive is in force. */
      mark: SensitiveMark | null;
      /** All strikes that ever marked it. */
      markedBy: readonly string[];
      /** Whether staff removed it. */
      removed: boolean;
      /** The post that it quoted until its author refused or revoked the permission. */
      revokedQuoteId: string | null;
      /** The policy of a remote post; null when it approves everyone. */
      interactionPolicy: InteractionPolicy | null;
      /** The URI of the account that approved this remote reply; null for none. */
      replyAuthorizedBy: string | null;
      /** The author who must approve this reply; null when it needs no approval. */
      askedAccountId: string | null;
    };

/** Votes by option, and the number of voters. */
export interface PollTally {
  votes: readonly number[];
  voters: number;
}

type OtherType =
  | 'AttachmentDescribed'
  | 'InteractionPolicyChanged'
  | 'MentionsResolved'
  | 'ReplyLinked'
  | 'ReplyRequestEnded'
  | 'StatusRemoved'
  | 'StatusSensitized'
  | 'StatusUnsensitized';
type OtherEvent = Extract<StatusEvent, { type: OtherType }>;

/** Stream `status-<id>`. */
export const status: Decider<Status, StatusEvent> = {
  initialState: { state: 'none' },
  evolve(state, event) {
    if (event.type === 'StatusCreated' || event.type === 'ReplyRequested') return begin(event);
    if (state.state === 'none') return state;
    switch (event.type) {
      case 'StatusEdited': {
        const { edit_id: _, edited_at: editedAt, ...data } = event.data;
        const samePoll = data.poll?.id === state.data.poll?.id;
        const poll = samePoll ? {} : { pollClosed: false, tally: null };
        return { ...state, data, editedAt, ...poll };
      }
      case 'StatusDeleted':
        return { ...state, state: 'deleted', pinned: false };
      case 'RemoteStatusRemoved':
        return state;
      case 'StatusPinned':
        return { ...state, pinned: true };
      case 'StatusUnpinned':
        return { ...state, pinned: false };
      case 'PollClosed':
        return { ...state, pollClosed: true };
      case 'PollTallied': {
        const { votes, voters } = event.data;
        return { ...state, tally: { votes, voters } };
      }
      case 'QuotePolicyChanged':
        return { ...state, data: { ...state.data, quote_policy: event.data.quote_policy } };
      case 'PreviewCardAttached':
        return { ...state, card: event.data.card };
      default:
        return evolveByOthers(state, event);
    }
  },
};

/** A post without any later event. */
const UNTOUCHED = {
  editedAt: null,
  inReplyToUri: null,
  interactionPolicy: null,
  askedAccountId: null,
  replyAuthorizedBy: null,
  pinned: false,
  pollClosed: false,
  tally: null,
  card: null,
  quoteAuthorization: null,
  revokedQuoteId: null,
  mark: null,
  markedBy: [],
  removed: false,
};

type FirstEvent = Extract<StatusEvent, { type: 'StatusCreated' | 'ReplyRequested' }>;

/** Begins a post: a new one, a reply that asks for approval, or that reply once it is approved. */
function begin(event: FirstEvent): Status {
  if (event.type === 'ReplyRequested') {
    const { asked_account_id: askedAccountId, polite: _, ...data } = event.data;
    return { ...UNTOUCHED, state: 'requested', data, askedAccountId };
  }
  const {
    edited_at: editedAt = null,
    in_reply_to_uri: inReplyToUri = null,
    interaction_policy: interactionPolicy = null,
    reply_authorization: _authorization,
    reply_authorized_by: replyAuthorizedBy = null,
    fetched: _fetched,
    ...data
  } = event.data;
  const known = { editedAt, inReplyToUri, interactionPolicy, replyAuthorizedBy };
  return { ...UNTOUCHED, ...known, state: 'visible', data };
}

function evolveByOthers(state: Exclude<Status, { state: 'none' }>, event: OtherEvent | QuoteEvent): Status {
  switch (event.type) {
    case 'AttachmentDescribed': {
      const media = state.data.media.map((each) =>
        each.id === event.data.attachment_id ? describedMedia(each, event.data) : each,
      );
      return { ...state, data: { ...state.data, media } };
    }
    case 'ReplyLinked': {
      const { in_reply_to_id, in_reply_to_account_id, conversation_id } = event.data;
      const data = { ...state.data, in_reply_to_id, in_reply_to_account_id, conversation_id };
      return { ...state, data, inReplyToUri: null };
    }
    case 'MentionsResolved': {
      const { uris, content = state.data.content } = event.data;
      const mentions = [...state.data.mentions, ...event.data.mentions];
      const unresolved_mentions = state.data.unresolved_mentions?.filter((uri) => !uris.includes(uri)) ?? [];
      return { ...state, data: { ...state.data, content, mentions, unresolved_mentions } };
    }
    case 'ReplyRequestEnded':
      return { ...state, state: 'deleted' };
    case 'InteractionPolicyChanged':
      return { ...state, interactionPolicy: event.data.interaction_policy };
    case 'StatusRemoved':
      return { ...state, removed: true };
    case 'StatusSensitized': {
      const { strike_id, sensitive } = event.data;
      const mark = { strikeIds: [...(state.mark?.strikeIds ?? []), strike_id], sensitive };
      return { ...state, mark, markedBy: [...state.markedBy, strike_id] };
    }
    case 'StatusUnsensitized':
      return { ...state, mark: markWithout(state.mark, event.data.strike_id) };
    default:
      return evolveQuote(state, event);
  }
}

function evolveQuote(state: Exclude<Status, { state: 'none' }>, event: QuoteEvent): Status {
  const { quoted_id: id, quoted_account_id: account_id } = event.data;
  const withQuote = (quote: StatusData['quote']) => ({ ...state, data: { ...state.data, quote } });
  switch (event.type) {
    case 'QuoteProposed': {
      const { authorization: quoteAuthorization } = event.data;
      return { ...withQuote(state.data.quote ?? { id, account_id, state: 'pending' }), quoteAuthorization };
    }
    case 'QuoteAccepted':
      return withQuote({ id, account_id, state: 'accepted' });
    case 'QuoteRejected':
    case 'QuoteRevoked':
      return { ...withQuote(null), revokedQuoteId: id };
  }
}

/** Returns a post of this account. @throws RookeryError `not_found`, `invalid` for a reply that waits for approval */
export function requireOwnPost(state: Status, accountId: string): StatusData {
  if (state.state === 'requested' && state.data.account_id === accountId) {
    throw invalid(
      'Validation failed: This reply waits for the approval of the author of the post it replies to',
    );
  }
  if (state.state !== 'visible' || state.data.account_id !== accountId) throw notFound();
  return state.data;
}
