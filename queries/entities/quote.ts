import type { QuotePolicy } from '../../src/events/statuses.ts';

/** What a status knows of the one that it quotes. */
export interface QuoteRow {
  quote_id: string | null;
  quote_state: string | null;
}

/**
 * https://docs.joinmastodon.org/entities/Quote/ as ready JSON. `quoted` is the quoted status, ready; undefined where this
 * reader does not get to see it.
 */
export function quoteJson(row: QuoteRow, quoted: string | undefined): string {
  if (row.quote_id === null || row.quote_state === null) return 'null';
  if (row.quote_state !== 'accepted') return `{"state":"${row.quote_state}","quoted_status":null}`;
  return quoted === undefined
    ? '{"state":"unauthorized","quoted_status":null}'
    : `{"state":"accepted","quoted_status":${quoted}}`;
}

/** A quote inside a quote, cut short: https://docs.joinmastodon.org/entities/ShallowQuote/ */
export function shallowQuoteJson(row: QuoteRow): string {
  if (row.quote_id === null || row.quote_state === null) return 'null';
  const id = row.quote_state === 'accepted' ? `"${row.quote_id}"` : 'null';
  return `{"state":"${row.quote_state}","quoted_status_id":${id}}`;
}

/** What a statement selects for `quote_approval`; `qf` is the reader's follow of the author. */
export interface QuoteApprovalRow {
  account_id: string;
  visibility: string;
  quote_policy: QuotePolicy;
  follows_author: boolean;
}

/**
 * https://docs.joinmastodon.org/entities/QuoteApproval/: who may quote a status, and whether this reader may. Its author
 * always may; posts that are not for everybody are quoted by nobody else.
 */
export function quoteApprovalJson(row: QuoteApprovalRow, viewerId: string | undefined): string {
  const policy = row.visibility === 'public' || row.visibility === 'unlisted' ? row.quote_policy : 'nobody';
  const automatic = policy === 'nobody' ? '' : `"${policy}"`;
  return `{"automatic":[${automatic}],"manual":[],"current_user":"${mayQuote(row, policy, viewerId)}"}`;
}

function mayQuote(row: QuoteApprovalRow, policy: QuotePolicy, viewerId: string | undefined): string {
  if (viewerId === undefined) return 'denied';
  if (viewerId === row.account_id || policy === 'public') return 'automatic';
  return policy === 'followers' && row.follows_author ? 'automatic' : 'denied';
}
