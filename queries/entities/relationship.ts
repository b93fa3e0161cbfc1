import type { Relationship } from '#mastodon/schemas/index.ts';
import { deleted } from '../visibility/accounts.ts';
import { domainAndParents } from '../visibility/pairs.ts';

/** One fact about the relationship of one account to another. */
export type RelationshipFact = { account_id: string } & (
  | { kind: 'following' | 'requested'; reblogs: boolean; notify: boolean; languages: string[] | null }
  | { kind: 'muting'; notify: boolean; expires_at: string | null }
  | { kind: 'note'; comment: string }
  | { kind: 'followed_by' | 'requested_by' | 'blocking' | 'blocked_by' | 'domain_blocking' | 'endorsed' }
  | { kind: 'known' }
);

type Source = {
  kind: RelationshipFact['kind'];
  table: string;
  columns?: Record<string, string>;
  and?: string;
};

const COLUMNS = {
  reblogs: 'boolean',
  notify: 'boolean',
  languages: 'text[]',
  expires_at: 'timestamptz',
  comment: 'text',
};
const settings = { reblogs: 't.reblogs', notify: 't.notify', languages: 't.languages' };

/** Relationships of the account $1 to others. */
const FROM: readonly Source[] = [
  { kind: 'following', table: 'follows', columns: settings },
  { kind: 'requested', table: 'follow_requests', columns: settings },
  {
    kind: 'muting',
    table: 'mutes',
    columns: { notify: 't.notifications', expires_at: 't.expires_at' },
    and: 'and (t.expires_at is null or t.expires_at > now())',
  },
  { kind: 'blocking', table: 'blocks' },
  { kind: 'endorsed', table: 'endorsements' },
  { kind: 'note', table: 'account_notes', columns: { comment: 't.comment' } },
];
/** Relationships of others to the account $1. */
const TO: readonly Source[] = [
  { kind: 'followed_by', table: 'follows' },
  { kind: 'requested_by', table: 'follow_requests' },
  { kind: 'blocked_by', table: 'blocks', and: 'and $4' },
];

const selectOf = ({ kind, columns = {} }: Source, id: string): string =>
  `select '${kind}' as kind, ${id} as account_id, ${Object.entries(COLUMNS)
    .map(([name, type]) => `${columns[name] ?? `null::${type}`} as ${name}`)
    .join(', ')}`;

/**
 * The facts between the account $1 and each of the accounts $2, by one lookup of a primary key each; most are
 * absent and cost no row. An account is `known` when it exists and is neither deleted nor suspended; with $3,
 * suspended accounts are known too. Blocks by others are looked up with $4 only.
 */
export const RELATIONSHIP_FACTS = [
  ...FROM.map(
    (source) => `${selectOf(source, 't.target_account_id')} from ${source.table} t
      where t.account_id = $1 and t.target_account_id = any($2::bigint[]) ${source.and ?? ''}`,
  ),
  ...TO.map(
    (source) => `${selectOf(source, 't.account_id')} from ${source.table} t
      where t.account_id = any($2::bigint[]) and t.target_account_id = $1 ${source.and ?? ''}`,
  ),
  `${selectOf({ kind: 'domain_blocking', table: '' }, 'a.id')} from accounts a
     join user_domain_blocks t on t.account_id = $1 and t.domain = any(${domainAndParents('a.domain')}) where a.id = any($2::bigint[])`,
  `${selectOf({ kind: 'known', table: '' }, 'a.id')} from accounts a
     where a.id = any($2::bigint[]) and not ${deleted()} and (not a.suspended or $3::boolean)`,
].join('\n union all ');

/** Returns https://docs.joinmastodon.org/entities/Relationship/ with one account, from the facts about it. */
export function relationshipJson(
  accountId: string,
  facts: readonly RelationshipFact[],
  { withBlockedBy }: { withBlockedBy: boolean },
): Relationship {
  const relationship: Relationship = {
    id: accountId,
    following: false,
    showing_reblogs: false,
    notifying: false,
    languages: null,
    followed_by: false,
    blocking: false,
    ...(withBlockedBy ? { blocked_by: false } : {}),
    muting: false,
    muting_notifications: false,
    muting_expires_at: null,
    requested: false,
    requested_by: false,
    domain_blocking: false,
    endorsed: false,
    note: '',
  };
  for (const fact of facts) add(relationship, fact);
  return relationship;
}

function add(relationship: Relationship, fact: RelationshipFact): void {
  switch (fact.kind) {
    case 'following':
    case 'requested':
      relationship[fact.kind] = true;
      relationship.showing_reblogs = fact.reblogs;
      relationship.notifying = fact.notify;
      relationship.languages = fact.languages;
      return;
    case 'muting':
      relationship.muting = true;
      relationship.muting_notifications = fact.notify;
      relationship.muting_expires_at = fact.expires_at;
      return;
    case 'note':
      relationship.note = fact.comment;
      return;
    case 'known':
      return;
    default:
      relationship[fact.kind] = true;
  }
}
