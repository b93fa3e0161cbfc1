import type { Instance } from '../../src/kernel/context.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { acctKey } from './show.ts';

/** What a follow rests on besides what is between the two accounts. */
export interface FollowFacts {
  /** Undefined for an account that is unknown here. */
  target: { suspended: boolean; locked: boolean; local: boolean } | undefined;
  /** How many the follower follows or asks to follow, and is followed by. */
  following: number;
  followers: number;
}

const FACTS = statement(
  'follow_facts',
  `select a.suspended, a.locked, a.domain is null as local, coalesce(me.followers_count, 0) as followers,
     coalesce(me.following_count, 0)
       + (select count(*)::int from follow_requests r where r.account_id = $1) as following
   from accounts a left join account_stats me on me.account_id = $1 where a.id = $2`,
);
const BY_HANDLE = statement(
  'follow_by_handle',
  'select id from accounts where acct_key = $1 and not suspended',
);

type Row = NonNullable<FollowFacts['target']> & { following: number; followers: number };

/** Gathers the facts in one statement. */
export async function followFacts(db: Db, accountId: string, targetId: string): Promise<FollowFacts> {
  const [row] = await db.query<Row>(FACTS, [accountId, targetId]);
  if (!row) return { target: undefined, following: 0, followers: 0 };
  const { following, followers, ...target } = row;
  return { target, following, followers };
}

/** The account that goes by `name`, `name@domain` or either with a leading @. */
export async function accountIdOf(db: Db, instance: Instance, handle: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(BY_HANDLE, [acctKey(handle, instance)]);
  return row?.id;
}
