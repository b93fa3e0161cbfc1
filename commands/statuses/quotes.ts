import type { StatusData, StatusEvent } from '../../src/events/statuses.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { decideRevoke } from './revoke-quote.ts';
import type { Status } from './status.ts';

/** A post that is quoted, and its author. */
export interface Quoted {
  id: Id;
  account_id: Id;
}

/** The author of a post of another server has to be asked, by `federation-delivery`; those of this one have said who may. */
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
  /** The id of the notification that it brings. */
  acceptId: Id;
  /** The verified authorization, which must still be the noted one. Null when the author decided here. */
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

/** The author of the quoted post does not agree, or not any more. Again does nothing. Pure. */
export function decideRefuseQuote(state: Status, quoted: Quoted): StatusEvent[] {
  if (state.state !== 'visible' || state.data.quote?.id !== quoted.id) return [];
  if (state.data.quote.state === 'accepted') return decideRevoke(state, quoted);
  const { id, account_id } = state.data;
  return [{ type: 'QuoteRejected', data: pairOf(id, account_id, quoted) }];
}

/** A permission that was given, or is said to be, is taken back. Again does nothing. Pure. */
export const decideWithdraw = (state: Status, quoted: Quoted): StatusEvent[] =>
  state.state === 'visible' && state.data.quote?.id === quoted.id ? decideRevoke(state, quoted) : [];

const pairOf = (id: Id, account_id: Id, quoted: Quoted) => ({
  id,
  account_id,
  quoted_id: quoted.id,
  quoted_account_id: quoted.account_id,
});
