import type { StatusData, StatusEvent } from '#events/statuses.ts';
import type { Id } from '#kernel/ids.ts';
import { decideRevoke } from './revoke-quote.ts';
import type { Status } from './status.ts';

/** A quoted post, and its author. */
export interface Quoted {
  id: Id;
  account_id: Id;
}

/** `federation-delivery` asks the author of a remote post; the policy of a local post decides immediately. */
export const newQuote = (
  { id, account_id, local }: Quoted & { local: boolean },
  authorId: Id,
): NonNullable<StatusData['quote']> => ({
  id,
  account_id,
  state: local || account_id === authorId ? 'accepted' : 'pending',
});

/**
 * Records the quote authorization that a quote names, before it is verified: a withdrawal meanwhile finds the
 * quote by it. Returns no event for a decided quote. Pure.
 */
export function decideProposeQuote(state: Status, quoted: Quoted, authorization: string): StatusEvent[] {
  if (state.state !== 'visible' || state.revokedQuoteId === quoted.id) return [];
  const { id, account_id, quote } = state.data;
  if (quote && (quote.id !== quoted.id || quote.state === 'accepted')) return [];
  if (quote && state.quoteAuthorization === authorization) return [];
  return [{ type: 'QuoteProposed', data: { ...pairOf(id, account_id, quoted), authorization } }];
}

export interface QuoteAcceptance {
  /** The id of the resulting notification. */
  acceptId: Id;
  /**
   * The verified authorization, which must still be the recorded one. Null when the policy of a local post
   * decided.
   */
  authorization: string | null;
}

/** Records the consent of the quoted author, unless they declined before. Pure. */
export function decideAcceptQuote(
  state: Status,
  quoted: Quoted,
  { acceptId, authorization }: QuoteAcceptance,
): StatusEvent[] {
  if (state.state !== 'visible' || state.revokedQuoteId === quoted.id) return [];
  const { id, account_id, local, quote } = state.data;
  if (quote && (quote.id !== quoted.id || quote.state === 'accepted')) return [];
  if (authorization !== null && state.quoteAuthorization !== authorization) return [];
  return [{ type: 'QuoteAccepted', data: { ...pairOf(id, account_id, quoted), accept_id: acceptId, local } }];
}

/** Records that the author of the quoted post refuses, or no longer agrees. A repeat does nothing. Pure. */
export function decideRefuseQuote(state: Status, quoted: Quoted): StatusEvent[] {
  if (state.state !== 'visible' || state.data.quote?.id !== quoted.id) return [];
  if (state.data.quote.state === 'accepted') return decideRevoke(state, quoted);
  const { id, account_id } = state.data;
  return [{ type: 'QuoteRejected', data: pairOf(id, account_id, quoted) }];
}

/** Revokes a permission, given or claimed. A repeat does nothing. Pure. */
export const decideWithdraw = (state: Status, quoted: Quoted): StatusEvent[] =>
  state.state === 'visible' && state.data.quote?.id === quoted.id ? decideRevoke(state, quoted) : [];

const pairOf = (id: Id, account_id: Id, quoted: Quoted) => ({
  id,
  account_id,
  quoted_id: quoted.id,
  quoted_account_id: quoted.account_id,
});
