import { members } from '../../src/kernel/ready-json.ts';

/** What a statement selects to render a poll; `p` is `polls`, `pv` the reader's own row of `poll_votes`. */
export const POLL_COLUMNS = `p.id as poll_id, p.account_id as poll_account_id, p.options as poll_options, p.emojis as poll_emojis,
  p.multiple as poll_multiple, p.hide_totals as poll_hide_totals, p.expires_at as poll_expires_at,
  (p.closed or p.expires_at <= now()) as poll_expired, p.voters_count as poll_voters_count,
  (select json_object_agg(t.choice, t.votes)::text from poll_tallies t where t.poll_id = p.id) as poll_tallies,
  pv.choices as poll_own_votes`;

export interface PollRow {
  poll_id: string | null;
  poll_account_id: string;
  /** A JSON array of titles. */
  poll_options: string;
  /** Ready JSON; null for none. */
  poll_emojis: string | null;
  poll_multiple: boolean;
  poll_hide_totals: boolean;
  /** ISO 8601. */
  poll_expires_at: string | null;
  poll_expired: boolean | null;
  poll_voters_count: number;
  /** A JSON object: votes by index. */
  poll_tallies: string | null;
  poll_own_votes: number[] | null;
}

/** https://docs.joinmastodon.org/entities/Poll/ as JSON; `null` where there is none. Hidden totals show when it is over. */
export function pollJson(row: PollRow, viewerId: string | undefined): string {
  if (row.poll_id === null) return 'null';
  const titles = JSON.parse(row.poll_options) as string[];
  const tallies = JSON.parse(row.poll_tallies ?? '{}') as Record<string, number>;
  const expired = row.poll_expired === true;
  const shown = expired || !row.poll_hide_totals;
  const own = row.poll_own_votes;
  const poll = members({
    id: row.poll_id,
    expires_at: row.poll_expires_at,
    expired,
    multiple: row.poll_multiple,
    votes_count: Object.values(tallies).reduce((sum, votes) => sum + votes, 0),
    voters_count: row.poll_multiple ? row.poll_voters_count : null,
    options: titles.map((title, index) => ({ title, votes_count: shown ? (tallies[index] ?? 0) : null })),
    ...(viewerId === undefined
      ? {}
      : { voted: own !== null || viewerId === row.poll_account_id, own_votes: own ?? [] }),
  });
  return `{${poll},"emojis":${row.poll_emojis ?? '[]'}}`;
}
