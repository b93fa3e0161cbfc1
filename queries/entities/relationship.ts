import type { Relationship } from './schemas/index.ts';

/** What a statement selects to render a relationship to account `a`; the joins below bring the rest. */
export const RELATIONSHIP_COLUMNS = `a.id as account_id,
  follow.id is not null as following, request.id is not null as requested,
  coalesce(follow.reblogs, request.reblogs, false) as showing_reblogs,
  coalesce(follow.notify, request.notify, false) as notifying,
  case when follow.id is null then request.languages else follow.languages end as languages,
  follow_back.id is not null as followed_by, request_back.id is not null as requested_by`;

/**
 * `viewer` is the SQL parameter that holds the account whose relationships these are. Lateral, so that each pair is looked
 * up by its key: joined plainly, Postgres may read all followers of a viewer who has very many.
 */
export const relationshipJoins = (viewer: string): string => {
  const pair = (table: 'follows' | 'follow_requests', from: string, to: string, name: string): string => `
  left join lateral (
    select id, reblogs, notify, languages from ${table} where account_id = ${from} and target_account_id = ${to} limit 1
  ) ${name} on true`;
  return (
    pair('follows', viewer, 'a.id', 'follow') +
    pair('follow_requests', viewer, 'a.id', 'request') +
    pair('follows', 'a.id', viewer, 'follow_back') +
    pair('follow_requests', 'a.id', viewer, 'request_back')
  );
};

export interface RelationshipRow {
  account_id: string;
  following: boolean;
  requested: boolean;
  /** Of the follow, or of the request for one. */
  showing_reblogs: boolean;
  notifying: boolean;
  languages: string[] | null;
  followed_by: boolean;
  requested_by: boolean;
}

/** https://docs.joinmastodon.org/entities/Relationship/; blocks, mutes, notes and endorsements come with their features. */
export function relationshipJson(row: RelationshipRow): Relationship {
  return {
    id: row.account_id,
    following: row.following,
    showing_reblogs: row.showing_reblogs,
    notifying: row.notifying,
    languages: row.languages,
    followed_by: row.followed_by,
    blocking: false,
    muting: false,
    muting_notifications: false,
    muting_expires_at: null,
    requested: row.requested,
    requested_by: row.requested_by,
    domain_blocking: false,
    endorsed: false,
    note: '',
  };
}
