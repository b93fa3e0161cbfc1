import type { QuotePolicy } from '#events/statuses.ts';
import { json, type JsonPieces, textByFlags } from '#kernel/json-pieces.ts';
import { blocks, blocksDomain, mutes } from '../visibility/pairs.ts';

/** The columns of a status about the status that it quotes. */
export interface QuoteRow {
  quote_id: string | null;
  quote_state: string | null;
}

/** The quoted status, if the viewer may see it. */
export interface QuotedRow {
  id: string;
  /**
   * The reason to hide it from this viewer: a state of https://docs.joinmastodon.org/entities/Quote/#state;
   * null for none.
   */
  unwanted: string | null;
}

/** Selects `unwanted` for a quoted status whose author is `a`. `viewer` is an SQL expression for the reader's account id. */
export const unwantedBy = (viewer: string): string => {
  const me = `${viewer}::bigint`;
  return `case when ${blocks(me, 'a.id')} then 'blocked_account' when ${blocksDomain(me, 'a.domain')} then 'blocked_domain'
    when ${mutes(me, 'a.id')} then 'muted_account' end`;
};

/**
 * Returns https://docs.joinmastodon.org/entities/Quote/; undefined when the status quotes nothing. `quoted`
 * is undefined when the viewer may not see it; `render` returns it as JSON.
 */
export function quoteJson(
  row: QuoteRow,
  quoted: QuotedRow | undefined,
  render: () => JsonPieces | undefined,
): JsonPieces | undefined {
  const state = quoteState(row, quoted);
  if (state === undefined) return undefined;
  const shown = isShown(row) ? render() : undefined;
  return json`{"state":"${state}","quoted_status":${shown ?? 'null'}}`;
}

/** Returns a quote within a quote: https://docs.joinmastodon.org/entities/ShallowQuote/ */
export function shallowQuoteJson(row: QuoteRow, quoted: QuotedRow | undefined): JsonPieces | undefined {
  const state = quoteState(row, quoted);
  if (state === undefined) return undefined;
  const id = quoted && isShown(row) ? `"${quoted.id}"` : 'null';
  return json`{"state":"${state}","quoted_status_id":${id}}`;
}

const isShown = ({ quote_state }: QuoteRow): boolean => quote_state === 'accepted';

/** Returns the state for this viewer; undefined when the status quotes nothing. */
function quoteState(row: QuoteRow, quoted: QuotedRow | undefined): string | undefined {
  if (row.quote_id === null || row.quote_state === null) return undefined;
  if (!isShown(row)) return row.quote_state;
  return quoted ? (quoted.unwanted ?? 'accepted') : 'unauthorized';
}

/** The columns of a status about its quote policy. */
export interface QuotableRow {
  account_id: string;
  visibility: string;
  quote_policy: QuotePolicy;
}

/**
 * Returns the member https://docs.joinmastodon.org/entities/QuoteApproval/: the accounts that may quote a
 * status, and whether the viewer may. The author may quote it unless it is direct. Others may quote public
 * and unlisted posts only.
 */
export function quoteApprovalMember(
  { account_id: authorId, visibility, quote_policy }: QuotableRow,
  { follows_author: follows }: { follows_author: true | null },
  viewerId: string | undefined,
): Buffer {
  const open = visibility === 'public' || visibility === 'unlisted';
  const byAll = open && quote_policy === 'public';
  const byFollowers = open && quote_policy === 'followers';
  const byAuthor = viewerId === authorId && visibility !== 'direct';
  const byViewer = byAuthor || byAll || (byFollowers && follows === true);
  return approvalMember(byAll, byFollowers, viewerId !== undefined && byViewer);
}

const approvalMember = textByFlags((byAll, byFollowers, byViewer) => {
  const automatic = [...(byAll ? ['public'] : []), ...(byFollowers ? ['followers'] : [])];
  const approval = { automatic, manual: [], current_user: byViewer ? 'automatic' : 'denied' };
  return `"quote_approval":${JSON.stringify(approval)}`;
});
