import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from './account.ts';

/** What a statement selects to render a status; `s` is `statuses`. The joins below bring the rest. */
export const STATUS_COLUMNS = `s.id, s.body, ss.replies_count, ss.reblogs_count, ss.favourites_count,
  ${ACCOUNT_COLUMNS}`;
export const STATUS_JOINS = `join accounts a on a.id = s.account_id
  ${ACCOUNT_STATS}
  left join status_stats ss on ss.status_id = s.id`;

export interface StatusRow extends AccountRow {
  id: string;
  body: string;
  replies_count: number | null;
  reblogs_count: number | null;
  favourites_count: number | null;
}

/** Quotes come with a later version; until then nobody may. */
const QUOTE =
  '"quote":null,"quotes_count":0,"quote_approval":{"automatic":[],"manual":[],"current_user":"denied"}';

/** What is the reader's own in a status; absent for readers without a token. */
const VIEWER = '"favourited":false,"reblogged":false,"muted":false,"bookmarked":false,"filtered":[]';

/** https://docs.joinmastodon.org/entities/Status/ as ready JSON, hosts still to be filled in. */
export function statusJson(row: StatusRow, viewerId: string | undefined): string {
  return `{${statusMembers(row, viewerId)}}`;
}

/** The members of a status, for replies that add some of their own (`text` after a deletion). */
export function statusMembers(row: StatusRow, viewerId: string | undefined): string {
  const own =
    viewerId === undefined ? '' : `,${VIEWER}${viewerId === row.account_id ? ',"pinned":false' : ''}`;
  return (
    `${row.body},"account":${accountJson(row)},"reblog":null,${QUOTE},` +
    `"replies_count":${Math.max(0, row.replies_count ?? 0)},"reblogs_count":${row.reblogs_count ?? 0},` +
    `"favourites_count":${row.favourites_count ?? 0}${own}`
  );
}
