import type { Instance } from '#kernel/context.ts';
import { members } from '#mastodon/ready-json.ts';
import { fillOrigins } from './ready-json.ts';

/** The columns for rendering a poll; `p` is `polls`, `pv` the viewer's row of `poll_votes`. */
export const POLL_COLUMNS = `p.public_id::text as poll_id, p.id::text as poll_round, p.account_id::text as poll_account_id, p.options as poll_options, p.emojis as poll_emojis,
  p.multiple as poll_multiple, p.hide_totals as poll_hide_totals, p.expires_at as poll_expires_at,
  (p.closed or p.expires_at <= now()) as poll_expired, p.voters_count as poll_voters_count,
  (select json_object_agg(t.choice, t.votes)::text from poll_tallies t where t.poll_id = p.id) as poll_tallies,
  pv.choices as poll_own_votes`;

/** The poll of a status `s` as one JSON text; null for none. `viewer` is as in `statusJoins`. */
export const pollOfStatus = (viewer: string): string => `case when s.poll_id is not null then (
  select row_to_json(of_status)::text from (
    select ${POLL_COLUMNS} from polls p
    left join poll_votes pv on pv.poll_id = p.id and pv.account_id = ${viewer} where p.id = s.poll_id
  ) of_status) end`;

export interface PollRow {
  poll_id: string;
  /** The votes belong to a round; an edit that changes the options starts another one. */
  poll_round: string;
  poll_account_id: string;
  /** A JSON array of titles. */
  poll_options: string;
  /** Ready JSON; null for none. */
  poll_emojis: string | null;
  poll_multiple: boolean;
  poll_hide_totals: boolean;
  /** In a form that Date parses. */
  poll_expires_at: string | null;
  poll_expired: boolean | null;
  poll_voters_count: number;
  /** A JSON object: votes by index of the option. */
  poll_tallies: string | null;
  poll_own_votes: number[] | null;
  /** No picture of the author's server is shown. */
  media_rejected?: boolean;
}

/**
 * Returns https://docs.joinmastodon.org/entities/Poll/ as JSON. Hidden totals appear when the poll has ended.
 */
export function pollJson(row: PollRow, viewerId: string | undefined): string {
  const titles = JSON.parse(row.poll_options) as string[];
  const tallies = JSON.parse(row.poll_tallies ?? '{}') as Record<string, number>;
  const expired = row.poll_expired === true;
  const shown = expired || !row.poll_hide_totals;
  const own = row.poll_own_votes;
  const votesCount = Object.values(tallies).reduce((sum, votes) => sum + votes, 0);
  const poll = members({
    id: row.poll_id,
    expires_at: row.poll_expires_at && new Date(row.poll_expires_at).toISOString(),
    expired,
    multiple: row.poll_multiple,
    votes_count: votesCount,
    voters_count: row.poll_multiple ? row.poll_voters_count : votesCount,
    options: titles.map((title, index) => ({ title, votes_count: shown ? (tallies[index] ?? 0) : null })),
    ...(viewerId === undefined
      ? {}
      : { voted: own !== null || viewerId === row.poll_account_id, own_votes: own ?? [] }),
  });
  const emojis = row.media_rejected === true ? null : row.poll_emojis;
  return `{${poll},"emojis":${emojis ?? '[]'}}`;
}

/** Renders the poll that `pollOfStatus` selected; undefined for none. */
export const foundPollJson = (
  poll: string | null,
  { media_rejected }: { media_rejected: boolean },
  { viewerId, instance }: { viewerId: string | undefined; instance: Instance },
): string | undefined =>
  poll === null
    ? undefined
    : fillOrigins(pollJson({ ...(JSON.parse(poll) as PollRow), media_rejected }, viewerId), instance);
