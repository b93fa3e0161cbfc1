import { blocks, blocksDomain } from '../visibility/pairs.ts';
import type { Relationship } from './schemas/index.ts';

/** What a statement selects to render a relationship of `viewer` to account `a`; the joins below bring the rest. */
export const relationshipColumns = (viewer: string): string => `a.id as account_id,
  follow.id is not null as following, request.id is not null as requested,
  coalesce(follow.reblogs, request.reblogs, false) as showing_reblogs,
  coalesce(follow.notify, request.notify, false) as notifying,
  case when follow.id is null then request.languages else follow.languages end as languages,
  follow_back.id is not null as followed_by, request_back.id is not null as requested_by,
  ${blocks(`${viewer}::bigint`, 'a.id')} as blocking,
  ${blocksDomain(`${viewer}::bigint`, 'a.domain')} as domain_blocking,
  mute.id is not null as muting, coalesce(mute.notifications, false) as muting_notifications,
  mute.expires_at as muting_expires_at, endorsement.id is not null as endorsed, note.comment as note`;

/**
 * `viewer` is the SQL parameter that holds the account whose relationships these are. Lateral, so that each pair is looked
 * up by its key: joined plainly, Postgres may read all followers of a viewer who has very many.
 */
export const relationshipJoins = (viewer: string): string => {
  const pair = (table: string, from: string, to: string, name: string, and = ''): string => `
  left join lateral (
    select * from ${table} t where t.account_id = ${from} and t.target_account_id = ${to} ${and} limit 1
  ) ${name} on true`;
  return (
    pair('follows', viewer, 'a.id', 'follow') +
    pair('follow_requests', viewer, 'a.id', 'request') +
    pair('follows', 'a.id', viewer, 'follow_back') +
    pair('follow_requests', 'a.id', viewer, 'request_back') +
    pair('mutes', viewer, 'a.id', 'mute', 'and (t.expires_at is null or t.expires_at > now())') +
    pair('endorsements', viewer, 'a.id', 'endorsement') +
    pair('account_notes', viewer, 'a.id', 'note')
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
  blocking: boolean;
  domain_blocking: boolean;
  muting: boolean;
  muting_notifications: boolean;
  muting_expires_at: string | null;
  endorsed: boolean;
  note: string | null;
}

/** https://docs.joinmastodon.org/entities/Relationship/ */
export function relationshipJson(row: RelationshipRow): Relationship {
  return {
    id: row.account_id,
    following: row.following,
    showing_reblogs: row.showing_reblogs,
    notifying: row.notifying,
    languages: row.languages,
    followed_by: row.followed_by,
    blocking: row.blocking,
    muting: row.muting,
    muting_notifications: row.muting_notifications,
    muting_expires_at: row.muting_expires_at,
    requested: row.requested,
    requested_by: row.requested_by,
    domain_blocking: row.domain_blocking,
    endorsed: row.endorsed,
    note: row.note ?? '',
  };
}
