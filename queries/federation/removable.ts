import { type Db, statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import { reversedHost } from '#mastodon/host-name.ts';
import type { ACCOUNTS } from '#projections/accounts/tables.ts';
import type { STATUSES } from '#projections/statuses/tables.ts';

/* These statements compare whole tables, so they are for connections that may use hash joins. */

/** A post of another server that nothing of this server refers to. */
export type UnreferencedPost = Pick<RowOf<typeof STATUSES>, 'id' | 'account_id' | 'uri'>;

/** A remote account with its names. */
export interface RemoteName extends Pick<RowOf<typeof ACCOUNTS>, 'id' | 'username' | 'uri'> {
  domain: string;
}

const isLocal = (account: string): string =>
  `exists (select from accounts l where l.id = ${account} and l.domain is null)`;

/**
 * Remote posts below `$1` and older than `$2` without replies, quotes and interactions here, that name no
 * local account, are no evidence, and are not of an account that a local one follows (unless `$3`).
 */
const UNREFERENCED = statement<UnreferencedPost>(
  'statuses_unreferenced',
  `select s.id, s.account_id, s.uri from statuses s
   where s.id < $1 and s.created_at < $2 and not s.local and not s.deleted and s.reblog_of_id is null
     and not exists (select from statuses r where r.in_reply_to_id = s.id and not r.deleted)
     and not exists (select from statuses q where q.quote_id = s.id and not q.deleted)
     and not exists (select from interactions i where i.status_id = s.id)
     and not exists (select from report_statuses e where e.status_id = s.id)
     and not exists (select from status_mentions m where m.status_id = s.id and ${isLocal('m.account_id')})
     and not exists (select from poll_votes v where v.poll_id = s.poll_id and ${isLocal('v.account_id')})
     and not ${isLocal('coalesce(s.in_reply_to_account_id, 0)')}
     and ($3 or not exists (
       select from follows f where f.target_account_id = s.account_id and ${isLocal('f.account_id')}))
   order by s.id desc limit $4`,
);

const NAMES = 'a.id, a.username, a.domain, a.uri';
const REMOTE = statement<RemoteName>(
  'accounts_remote_below',
  `select ${NAMES} from accounts a
   where a.id < $1 and a.domain is not null and not a.gone
     and ($2::text[] is null or a.domain = any($2)) order by a.id desc limit $3`,
);
/** Selects the accounts of a domain, and of those below it. */
const OF_DOMAIN = statement<RemoteName>(
  'accounts_of_domain_below',
  `select ${NAMES} from accounts a
   where a.id < $1 and a.domain is not null
     and (a.domain = $2 or ${reversedHost('a.domain')} like reverse('.' || $2) || '%')
   order by a.id desc limit $3`,
);
const pairOf = (table: string): string =>
  `not exists (select from ${table} p where p.account_id = a.id or p.target_account_id = a.id)`;
/** Remote accounts that never met a local one, and have no post here. */
const UNREFERENCED_ACCOUNTS = statement<RemoteName>(
  'accounts_unreferenced',
  `select ${NAMES} from accounts a
   where a.id < $1 and a.domain is not null and not a.gone and not a.suspended_alone and not a.silenced_alone
     and not exists (select from statuses s where s.account_id = a.id and not s.deleted)
     and not exists (select from status_mentions m where m.account_id = a.id)
     and not exists (select from accounts o where o.moved_to = a.id)
     and not exists (select from interactions i where i.account_id = a.id)
     and not exists (select from collections c where c.account_id = a.id)
     and not exists (select from collection_items i where i.account_id = a.id)
     and ${['follows', 'follow_requests', 'blocks', 'mutes', 'account_notes', 'endorsements', 'reports'].map(pairOf).join(' and ')}
   order by a.id desc limit $2`,
);
const DOMAINS = statement<{ domain: string; accounts: number }>(
  'accounts_remote_domains',
  `select domain, count(*)::int as accounts from accounts where domain is not null and not gone
   group by domain order by domain`,
);
const LOCAL = statement<{ id: string; username: string }>(
  'accounts_local_below',
  `select a.id, a.username from accounts a join users u on u.account_id = a.id
   where a.id < $1 and a.domain is null and not a.suspended and u.approved and u.confirmed
   order by a.id desc limit $2`,
);
const ALL_LOCAL = statement<{ id: string; username: string }>(
  'accounts_all_local_below',
  'select id, username from accounts where id < $1 and domain is null order by id desc limit $2',
);
export const unreferencedPosts = (
  db: Db,
  {
    before,
    olderThan,
    ofFollowed,
    limit,
  }: { before: string; olderThan: string; ofFollowed: boolean; limit: number },
): Promise<UnreferencedPost[]> => db.query(UNREFERENCED, [before, olderThan, ofFollowed, limit]);

export const unreferencedAccounts = (db: Db, before: string, limit: number): Promise<RemoteName[]> =>
  db.query(UNREFERENCED_ACCOUNTS, [before, limit]);

/** Returns remote accounts with ids below `before`, of all domains unless some are given. */
export const remoteAccountsBelow = (
  db: Db,
  domains: readonly string[],
  before: string,
  limit: number,
): Promise<RemoteName[]> => db.query(REMOTE, [before, domains.length === 0 ? null : domains, limit]);

/** Returns the accounts of a domain and of all below it. */
export const accountsOfDomain = (
  db: Db,
  domain: string,
  before: string,
  limit: number,
): Promise<RemoteName[]> => db.query(OF_DOMAIN, [before, domain, limit]);

/** Returns the known servers, with the number of their known accounts. */
export const remoteDomains = (db: Db): Promise<{ domain: string; accounts: number }[]> => db.query(DOMAINS);

/** Returns local users who may act, newest first. */
export const localUsersBelow = (
  db: Db,
  before: string,
  limit: number,
): Promise<{ id: string; username: string }[]> => db.query(LOCAL, [before, limit]);

/** Returns local accounts, newest first, also suspended and erased ones. */
export const localAccountsBelow = (
  db: Db,
  before: string,
  limit: number,
): Promise<{ id: string; username: string }[]> => db.query(ALL_LOCAL, [before, limit]);
