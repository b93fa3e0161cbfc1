import type { Instance } from '../../src/kernel/context.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { blocksDomain } from '../visibility/pairs.ts';
import { acctKey } from './show.ts';

/** What a follow rests on besides what is between the two accounts. */
export interface FollowFacts {
  /** Undefined for an account that is unknown here. */
  target:
    | {
        suspended: boolean;
        moved: boolean;
        locked: boolean;
        local: boolean;
        /** Either blocks the server that the other one is on. */
        domain_blocked: boolean;
      }
    | undefined;
  /** How many the follower follows or asks to follow, and is followed by. */
  following: number;
  followers: number;
}

const FACTS = statement(
  'follow_facts',
  `select a.suspended, a.moved_to is not null as moved, a.locked, a.domain is null as local, ${blocksDomain('$1::bigint', 'a.domain')} or ${blocksDomain('a.id', 'f.domain')} as domain_blocked,
     coalesce(me.followers_count, 0) as followers,
     coalesce(me.following_count, 0)
       + (select count(*)::int from follow_requests r where r.account_id = $1) as following
   from accounts a left join accounts f on f.id = $1 left join account_stats me on me.account_id = $1 where a.id = $2`,
);
const BY_HANDLE = statement(
  'follow_by_handle',
  'select id from accounts where acct_key = $1 and not suspended',
);
const BY_URI = statement('follow_by_uri', 'select id from accounts where uri = $1 and not suspended');
const KNOWN = statement('account_known', 'select id from accounts where id = $1');

type Row = NonNullable<FollowFacts['target']> & { following: number; followers: number };

/** Gathers the facts in one statement. */
export async function followFacts(db: Db, accountId: string, targetId: string): Promise<FollowFacts> {
  const [row] = await db.query<Row>(FACTS, [accountId, targetId]);
  if (!row) return { target: undefined, following: 0, followers: 0 };
  const { following, followers, ...target } = row;
  return { target, following, followers };
}

/**
 * The account that goes by `name`, `name@domain` (either with a leading @ or `acct:`), or by its ActivityPub URI, as far as
 * this server knows it.
 */
export async function accountIdOf(db: Db, instance: Instance, name: string): Promise<string | undefined> {
  const text = name.trim().replace(/^acct:/i, '');
  const [row] = /^https?:/i.test(text)
    ? await db.query<{ id: string }>(BY_URI, [text])
    : await db.query<{ id: string }>(BY_HANDLE, [acctKey(text, instance)]);
  return row?.id;
}

/** @throws RookeryError `not_found` for an account that is unknown here; a suspended one is known */
export async function requireAccount(db: Db, accountId: string): Promise<void> {
  const [account] = await db.query(KNOWN, [accountId]);
  if (!account) throw notFound();
}
