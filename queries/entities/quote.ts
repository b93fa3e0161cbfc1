import type { QuotePolicy } from '../../src/events/statuses.ts';
import { json, type JsonPieces } from '../../src/kernel/json-pieces.ts';
import { blocks, blocksDomain, mutes } from '../visibility/pairs.ts';

/** What a status knows of the one that it quotes. */
export interface QuoteRow {
  quote_id: string | null;
  quote_state: string | null;
}

/** The quoted status, as far as the reader may see it. */
export interface QuotedRow {
  id: string;
  /** Why this reader would rather not: a state of https://docs.joinmastodon.org/entities/Quote/#state; null for no reason. */
  unwanted: string | null;
}

/** Selects `unwanted` for a quoted status whose author is `a`. `viewer` is an SQL expression for the reader's account id. */
export const unwantedBy = (viewer: string): string => {
  const me = `${viewer}::bigint`;
  return `case when ${blocks(me, 'a.id')} then 'blocked_account' when ${blocksDomain(me, 'a.domain')} then 'blocked_domain'
    when ${mutes(me, 'a.id')} then 'muted_account' end`;
};

/**
 * https://docs.joinmastodon.org/entities/Quote/. `quoted` is undefined where this reader does not get to see it; `render` gives it
 * as JSON.
 */
export function quoteJson(
  row: QuoteRow,
  quoted: QuotedRow | undefined,
  render: () => JsonPieces | string,
): JsonPieces | string {
  const state = quoteState(row, quoted);
  if (state === null) return 'null';
  return json`{"state":"${state}","quoted_status":${quoted && isShown(row) ? render() : 'null'}}`;
}

/** A quote inside a quote, cut short: https://docs.joinmastodon.org/entities/ShallowQuote/ */
export function shallowQuoteJson(row: QuoteRow, quoted: QuotedRow | undefined): string {
  const state = quoteState(row, quoted);
  if (state === null) return 'null';
  const id = quoted && isShown(row) ? `"${quoted.id}"` : 'null';
  return `{"state":"${state}","quoted_status_id":${id}}`;
}

const isShown = ({ quote_state }: QuoteRow): boolean => quote_state === 'accepted';

/** As this reader has it; null where nothing is quoted. */
function quoteState(row: QuoteRow, quoted: QuotedRow | undefined): string | null {
  if (row.quote_id === null || row.quote_state === null) return null;
  if (!isShown(row)) return row.quote_state;
  return quoted ? (quoted.unwanted ?? 'accepted') : 'unauthorized';
}

/** What a status says of who may quote it. */
export interface QuotableRow {
  account_id: string;
  visibility: string;
  quote_policy: QuotePolicy;
}

/**
 * https://docs.joinmastodon.org/entities/QuoteApproval/: who may quote a status, and whether this reader may. Its author
 * always may; posts that are not for everybody are quoted by nobody else.
 */
export function quoteApprovalJson(
  row: QuotableRow,
  { follows_author: follows }: { follows_author: true | null },
  viewerId: string | undefined,
): string {
  const policy = row.visibility === 'public' || row.visibility === 'unlisted' ? row.quote_policy : 'nobody';
  const automatic = policy === 'nobody' ? '' : `"${policy}"`;
  return `{"automatic":[${automatic}],"manual":[],"current_user":"${mayQuote(row, policy, viewerId, follows === true)}"}`;
}

function mayQuote(
  { account_id: author }: QuotableRow,
  policy: QuotePolicy,
  viewerId: string | undefined,
  follows: boolean,
): string {
  if (viewerId === undefined) return 'denied';
  if (viewerId === author || policy === 'public') return 'automatic';
  return policy === 'followers' && follows ? 'automatic' : 'denied';
}
