import { ACCOUNT_STATS } from './account.ts';
import { pollOfStatus } from './poll.ts';

/**
 * The columns of a status `s` that are the same for every viewer; `ss` is its `status_stats`, `a` its author.
 */
export const SHARED_COLUMNS = `s.body, s.content, s.plain, s.emojis, s.card, s.card_author_id, s.visibility, s.reblog_of_id,
  s.quote_id, s.quote_state, s.quote_policy, ss.replies_count, ss.reblogs_count, ss.favourites_count, ss.quotes_count`;
export const SHARED_JOINS = `${ACCOUNT_STATS}
  left join status_stats ss on ss.status_id = s.id`;

/** The versions (`xmin`) of the rows behind `SHARED_COLUMNS`: see `SharedVersions`. */
export const SHARED_VERSIONS = 's.xmin as status_version, ss.xmin as status_stats_version';

export interface SharedVersions {
  status_version: string;
  status_stats_version: string | null;
}

export const sameShared = (one: SharedVersions, other: SharedVersions): boolean =>
  one.status_version === other.status_version && one.status_stats_version === other.status_stats_version;

/**
 * The viewer's own columns. `viewer` is an SQL expression for the viewer's account id, null without a token;
 * `mutesThreads` tells whether they may have muted a thread. Rare properties are looked up only when needed.
 * False is selected as null.
 */
export const ownColumns = (viewer: string, mutesThreads: string): string => `s.id,
  coalesce(i.favourite_id, i.favourite_request_id) is not null or null as favourited,
  coalesce(i.reblog_id, i.reblog_request_id) is not null or null as reblogged,
  i.bookmark_id is not null or null as bookmarked,
  ${mutesThreads} and exists (select from thread_mutes tm
    where tm.account_id = ${viewer} and tm.conversation_id = s.conversation_id offset 0) or null as muted,
  s.account_id = ${viewer} and exists (select from status_pins pin where pin.status_id = s.id offset 0) or null as pinned,
  s.quote_policy = 'followers' and exists (select from follows qf
    where qf.account_id = ${viewer} and qf.target_account_id = s.account_id offset 0) or null as follows_author,
  ${pollOfStatus(viewer)} as poll`;

export const statusJoins = (viewer: string): string => `${SHARED_JOINS}
  left join interactions i on i.account_id = ${viewer} and i.status_id = s.id`;
