import { type Db, statement } from '#kernel/read.ts';
import { hostName, isAtOrBelow } from '#mastodon/host-name.ts';

/**
 * Selects accounts `a` of the domain $2 or below it, at any port. Only the ties of one account are read, so
 * no index is needed.
 */
const HOST = hostName('a.domain');
const UNDER = `(a.domain = $2::text or ${HOST} = $2::text or right(${HOST}, length($2::text) + 1) = '.' || $2::text)`;

/**
 * Selects follows and requests between an account ($1) and a domain ($2), newest first; each branch reads one
 * index in order.
 */
const OF_ACCOUNT = statement<Tie>(
  'domain_block_ties',
  `select v.other_id, v.id from (
     select account_id as other_id, id from follows where target_account_id = $1
     union all
     select account_id, id from follow_requests where target_account_id = $1
     union all
     select target_account_id, id from follows where account_id = $1
     union all
     select target_account_id, id from follow_requests where account_id = $1
   ) v join accounts a on a.id = v.other_id
   where ${UNDER} and v.id < $3
   order by v.id desc limit $4`,
);
const COUNTS_OF_ACCOUNT = statement<FollowCounts>(
  'domain_block_counts',
  `select
     (select count(*)::int from follows f join accounts a on a.id = f.account_id
      where f.target_account_id = $1 and ${UNDER}) as followers_count,
     (select count(*)::int from follows f join accounts a on a.id = f.target_account_id
      where f.account_id = $1 and ${UNDER}) as following_count`,
);

/** A follow or a request, in either direction. */
export interface Tie {
  other_id: string;
  /** The id of the follow or request; the next page starts below it. */
  id: string;
}

/** The number of followers of an account, and of accounts that it follows. */
export interface FollowCounts {
  followers_count: number;
  following_count: number;
}

/** Returns the follows and requests between an account and a domain that are older than `before`. */
export const tiesWith = (
  db: Db,
  accountId: string,
  domain: string,
  before: string,
  limit: number,
): Promise<Tie[]> => db.query(OF_ACCOUNT, [accountId, domain, before, limit]);

/** Returns the number of follows between an account and a domain. */
export async function followsWith(db: Db, accountId: string, domain: string): Promise<FollowCounts> {
  const [row] = await db.query(COUNTS_OF_ACCOUNT, [accountId, domain]);
  return row ?? { followers_count: 0, following_count: 0 };
}

/**
 * SQL: selects the accounts `a` of the domain $1 and of all below it, at any port, that are suspended with
 * their domain; by the index of domains.
 */
const SUSPENDED = `a.domain is not null and a.domain_severity = 'suspend' and ${isAtOrBelow('a.domain', '$1::text')}`;

const PEOPLE = statement<FollowCounts & { id: string }>(
  'suspended_domain_people',
  `select t.account_id as id, sum(t.followers)::int as followers_count, sum(t.following)::int as following_count
   from accounts a cross join lateral (
     select f.target_account_id as account_id, 1 as followers, 0 as following from follows f where f.account_id = a.id
     union all
     select f.account_id, 0, 1 from follows f where f.target_account_id = a.id
   ) t join accounts l on l.id = t.account_id and l.domain is null
   where ${SUSPENDED} and t.account_id < $2
   group by t.account_id order by t.account_id desc limit $3`,
);
const PAIRS = statement<{ account_id: string; target_account_id: string }>(
  'suspended_domain_pairs',
  `select t.account_id, a.id as target_account_id from accounts a cross join lateral (
     select f.target_account_id as account_id from follows f where f.account_id = a.id
     union all
     select f.account_id from follows f where f.target_account_id = a.id
     union all
     select f.target_account_id from follow_requests f where f.account_id = a.id
     union all
     select f.account_id from follow_requests f where f.target_account_id = a.id
   ) t
   where ${SUSPENDED} limit $2`,
);

const ENDING = statement<{ domain: string; follows: number }>(
  'domain_blocks_follows',
  `select d.domain, sum(t.follows)::int as follows
   from unnest($1::text[]) as d (domain)
   join accounts a on a.domain is not null and a.domain_severity is distinct from 'suspend'
     and ${isAtOrBelow('a.domain', 'd.domain')}
   cross join lateral (
     select (select count(*) from follows f where f.account_id = a.id)
       + (select count(*) from follows f where f.target_account_id = a.id) as follows
   ) t
   group by d.domain having sum(t.follows) > 0`,
);

/**
 * Returns the number of follows that would end if each of these domains and all below it were suspended;
 * domains without follows are left out.
 */
export async function followsEndingWith(
  db: Db,
  domains: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query(ENDING, [domains]);
  return new Map(rows.map(({ domain, follows }) => [domain, follows]));
}

/**
 * Returns local accounts with follows to a suspended domain, and their number, by account ids below `before`.
 */
export const peopleTiedTo = (
  db: Db,
  domain: string,
  before: string,
  limit: number,
): Promise<(FollowCounts & { id: string })[]> => db.query(PEOPLE, [domain, before, limit]);

/** Returns pairs with remaining follows or requests whose target is of a suspended domain, in any order. */
export const tiesLeftWith = (
  db: Db,
  domain: string,
  limit: number,
): Promise<{ account_id: string; target_account_id: string }[]> => db.query(PAIRS, [domain, limit]);
