import type { QuotePolicy } from '../../src/events/statuses.ts';
import { ACCOUNT_CHANGING_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from './account.ts';
import { pollJson, pollOfStatus, type PollRow } from './poll.ts';
import {
  quoteApprovalJson,
  quoteJson,
  shallowQuoteJson,
  type QuoteApprovalRow,
  type QuotedRow,
  type QuoteRow,
} from './quote.ts';

/** What a statement selects of a status `s` that is the same for every reader and changes seldom. */
export const STATUS_BODY_COLUMNS = `s.body, s.content, s.emojis, s.card, s.visibility, s.reblog_of_id, s.quote_id, s.quote_state,
  s.quote_policy`;

/**
 * What it selects besides: counters, and what is the reader's own. `viewer` is an SQL expression for the reader's account id,
 * null without a token; `mutesThreads` one for whether he may have muted a thread. What few statuses have, or few readers ask
 * for, is looked up only there.
 */
export const statusColumns = (
  viewer: string,
  mutesThreads: string,
): string => `ss.replies_count, ss.reblogs_count, ss.favourites_count, ss.quotes_count,
  i.favourite_id is not null as favourited, i.reblog_id is not null as reblogged,
  i.bookmark_id is not null as bookmarked,
  ${mutesThreads} and exists (select from thread_mutes tm
    where tm.account_id = ${viewer} and tm.conversation_id = s.conversation_id offset 0) as muted,
  s.account_id = ${viewer} and exists (select from status_pins pin where pin.status_id = s.id offset 0) as pinned,
  s.quote_policy = 'followers' and exists (select from follows qf
    where qf.account_id = ${viewer} and qf.target_account_id = s.account_id offset 0) as follows_author,
  ${pollOfStatus(viewer)} as poll, ${ACCOUNT_CHANGING_COLUMNS}`;

/** Besides the author `a`. */
export const statusJoins = (viewer: string): string => `${ACCOUNT_STATS}
  left join status_stats ss on ss.status_id = s.id
  left join interactions i on i.account_id = ${viewer} and i.status_id = s.id`;

export interface StatusBodyRow extends QuoteRow {
  id: string;
  account_id: string;
  body: string;
  /** A JSON string. */
  content: string;
  /** Ready JSON; null for none. */
  emojis: string | null;
  /** Ready JSON; null for none. */
  card: string | null;
  visibility: string;
  reblog_of_id: string | null;
  quote_policy: QuotePolicy;
}

export interface StatusRow extends StatusBodyRow, AccountRow, QuoteApprovalRow {
  replies_count: number | null;
  reblogs_count: number | null;
  favourites_count: number | null;
  quotes_count: number | null;
  favourited: boolean;
  reblogged: boolean;
  bookmarked: boolean;
  muted: boolean;
  pinned: boolean;
  /** A JSON text of a `PollRow`; null for none. */
  poll: string | null;
}

/** A status with those that stand inside it: the one that it reblogs, the one that that one quotes, and what that quotes. */
export interface StatusRows<Row extends StatusRow & QuotedRow = StatusRow & QuotedRow> {
  status: Row;
  reblog?: Row | undefined;
  quoted?: Row | undefined;
  nested?: Row | undefined;
}

/** What the reader's filters say, as JSON: of the status (or the one that it reblogs), and of the quoted one. */
export interface Filtered {
  status: string;
  quoted: string;
}
export const UNFILTERED: Filtered = { status: '[]', quoted: '[]' };

/** https://docs.joinmastodon.org/entities/Status/ as ready JSON, hosts still to be filled in. */
export function statusJson(
  { status, reblog, quoted, nested }: StatusRows,
  viewerId: string | undefined,
  filtered: Filtered,
): string {
  const own = { viewerId, filtered: filtered.status };
  const ofQuoted = { viewerId, filtered: filtered.quoted };
  const quote = (row: StatusRow): string =>
    quoteJson(
      row,
      quoted,
      (inner) => `{${statusMembers(inner, inner, shallowQuoteJson(inner, nested), 'null', ofQuoted)}}`,
    );
  if (!reblog) return `{${statusMembers(status, status, quote(status), 'null', own)}}`;
  const inner = `{${statusMembers(reblog, reblog, quote(reblog), 'null', own)}}`;
  return `{${statusMembers(status, reblog, 'null', inner, own)}}`;
}

/** `of` is the status whose content, counters and marks are shown: of a reblog, the one that it reblogs. */
function statusMembers(row: StatusRow, of: StatusRow, quote: string, reblog: string, own: Own): string {
  const { viewerId } = own;
  const poll = row === of && of.poll !== null ? pollJson(JSON.parse(of.poll) as PollRow, viewerId) : 'null';
  return (
    `${row.body},"content":${of.content},"account":${accountJson(row)},"reblog":${reblog},"poll":${poll},` +
    `"card":${of.card ?? 'null'},"emojis":${of.emojis ?? '[]'},"quote":${quote},"quote_approval":${quoteApprovalJson(of, viewerId)},` +
    `"replies_count":${Math.max(0, of.replies_count ?? 0)},"reblogs_count":${of.reblogs_count ?? 0},` +
    `"favourites_count":${of.favourites_count ?? 0},"quotes_count":${of.quotes_count ?? 0}` +
    ownMembers(row, of, own)
  );
}

interface Own {
  viewerId: string | undefined;
  filtered: string;
}

/** What is the reader's own; absent without a token. */
function ownMembers(row: StatusRow, of: StatusRow, { viewerId, filtered }: Own): string {
  if (viewerId === undefined) return '';
  const pinned = viewerId === row.account_id && row.reblog_of_id === null ? `,"pinned":${row.pinned}` : '';
  return (
    `,"favourited":${of.favourited},"reblogged":${of.reblogged},"muted":${of.muted},` +
    `"bookmarked":${of.bookmarked},"filtered":${filtered}${pinned}`
  );
}
