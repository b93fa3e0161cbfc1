import { type Db, statement } from '#kernel/read.ts';
import { letIn } from '../visibility/accounts.ts';
import { blocksDomain } from '../visibility/pairs.ts';

/** The facts that a follow needs, besides the relationship of the two accounts. */
export interface FollowFacts {
  /** Undefined for an account that is unknown, deleted or not yet approved. */
  target:
    | {
        suspended: boolean;
        moved: boolean;
        /** The target approves its followers, or the follower is limited: then every target approves it. */
        locked: boolean;
        local: boolean;
        /** One of the two accounts blocks the domain of the other. */
        domain_blocked: boolean;
      }
    | undefined;
  /** The number of accounts that the follower follows or has asked to follow, and of its followers. */
  following: number;
  followers: number;
}

const FACTS = statement<Row>(
  'follow_facts',
  `select a.suspended, a.moved_to is not null as moved,
     a.locked or coalesce(f.silenced, false) as locked, a.domain is null as local, ${blocksDomain('$1::bigint', 'a.domain')} or ${blocksDomain('a.id', 'f.domain')} as domain_blocked,
     coalesce(me.followers_count, 0) as followers,
     coalesce(me.following_count, 0)
       + (select count(*)::int from follow_requests r where r.account_id = $1) as following
   from accounts a left join accounts f on f.id = $1 left join account_stats me on me.account_id = $1
   where a.id = $2 and ${letIn()}`,
);

const COUNTS = statement<Pick<FollowFacts, 'following' | 'followers'>>(
  'follow_counts',
  `select coalesce(me.followers_count, 0) as followers,
     coalesce(me.following_count, 0)
       - (select count(*)::int from follows f where f.account_id = n.id and f.target_account_id = any($2::bigint[]))
       + (select count(*)::int from follow_requests r
          where r.account_id = n.id and not r.target_account_id = any($2::bigint[])) as following
   from (values ($1::bigint)) as n (id) left join account_stats me on me.account_id = n.id`,
);

type Row = NonNullable<FollowFacts['target']> & { following: number; followers: number };

export async function followFacts(db: Db, accountId: string, targetId: string): Promise<FollowFacts> {
  const [row] = await db.query(FACTS, [accountId, targetId]);
  if (!row) return { target: undefined, following: 0, followers: 0 };
  const { following, followers, ...target } = row;
  return { target, following, followers };
}

/**
 * Returns the number of followers of an account, and of accounts that it follows or has asked to follow
 * besides these.
 */
export async function followCounts(
  db: Db,
  accountId: string,
  besides: readonly string[],
): Promise<Pick<FollowFacts, 'following' | 'followers'>> {
  const [row] = await db.query(COUNTS, [accountId, besides]);
  return row ?? { following: 0, followers: 0 };
}

const IS_NEW = statement<{ is_new: boolean }>(
  'follow_is_new',
  `select not exists (select from follows where account_id = $1 and target_account_id = $2)
     and not exists (select from follow_requests where account_id = $1 and target_account_id = $2) as is_new`,
);

/** Returns true if an account neither follows another one nor has asked to. */
export const followIsNew = async (db: Db, accountId: string, targetId: string): Promise<boolean> =>
  (await db.query(IS_NEW, [accountId, targetId]))[0]?.is_new !== false;
