import { type Db, statement } from '#kernel/read.ts';

const FOLLOWED = statement<{ followed: boolean }>(
  'federation_followed_here',
  `select exists (select from follows f join accounts a on a.id = f.account_id and a.domain is null
     where f.target_account_id = $1) as followed`,
);
const AWAITED = statement<{ awaited: boolean }>(
  'federation_awaited_here',
  `select exists (select from (select account_id from follows where target_account_id = $1
       union all select account_id from follow_requests where target_account_id = $1) f
     join accounts a on a.id = f.account_id and a.domain is null) as awaited`,
);
const FOLLOWING = statement<{ following: boolean }>(
  'federation_is_following',
  `select exists (select from follows where account_id = $1 and target_account_id = $2) as following`,
);
const URI = statement<{ uri: string }>(
  'federation_follow_uri',
  'select uri from follow_uris where account_id = $1 and target_account_id = $2',
);
const TARGET = statement<{ target_account_id: string }>(
  'federation_follow_target',
  'select target_account_id from follow_uris where uri = $1 and account_id = $2 limit 1',
);
const FOLLOWER = statement<{ id: string; uri: string }>(
  'federation_follower_here',
  `select a.id, a.uri from follows f join accounts a on a.id = f.account_id and a.domain is null and not a.suspended
   where f.target_account_id = $1 order by f.id limit 1`,
);
const TIES_FROM_HERE = statement<{ id: string; account_id: string }>(
  'federation_ties_from_here',
  `select f.id, f.account_id from (
     select id, account_id from follows where target_account_id = $1 and id < $2
     union all select id, account_id from follow_requests where target_account_id = $1 and id < $2) f
   join accounts a on a.id = f.account_id and a.domain is null and not a.suspended
   order by f.id desc limit $3`,
);
const FOLLOWED_OF_OURS = statement<{ id: string; target_account_id: string }>(
  'federation_followed_of_ours',
  `select f.id, f.target_account_id from follows f join accounts a on a.id = f.target_account_id and a.domain is null
   where f.account_id = $1 and f.id < $2 order by f.id desc limit $3`,
);

/** Returns an account's follows of local accounts, below an id, newest first. */
export const followsOfOurs = (
  db: Db,
  accountId: string,
  before: string,
  limit: number,
): Promise<{ id: string; target_account_id: string }[]> =>
  db.query(FOLLOWED_OF_OURS, [accountId, before, limit]);

/** Returns the follows of an account by local ones, and their requests to follow it, below an id, newest first. */
export const tiesFromHere = (
  db: Db,
  accountId: string,
  before: string,
  limit: number,
): Promise<{ id: string; account_id: string }[]> => db.query(TIES_FROM_HERE, [accountId, before, limit]);

/** Returns true if one account follows another; a request is no follow. */
export const isFollowing = async (db: Db, followerId: string, followeeId: string): Promise<boolean> =>
  (await db.query(FOLLOWING, [followerId, followeeId]))[0]?.following === true;

/** Returns true if a local account follows this account. */
export const isFollowedHere = async (db: Db, accountId: string): Promise<boolean> =>
  (await db.query(FOLLOWED, [accountId]))[0]?.followed === true;

/** Returns true if a local account follows this account or has asked to. */
export const isAwaitedHere = async (db: Db, accountId: string): Promise<boolean> =>
  (await db.query(AWAITED, [accountId]))[0]?.awaited === true;

/** Returns the local account that has followed this account for longest. */
export const followerHere = async (
  db: Db,
  accountId: string,
): Promise<{ id: string; uri: string } | undefined> => (await db.query(FOLLOWER, [accountId]))[0];

/**
 * Returns the URI of a remote account's last follow of an account, also if it ended: `Accept` and `Reject`
 * name it. Null without one.
 */
export const followUriOf = async (db: Db, followerId: string, followeeId: string): Promise<string | null> =>
  (await db.query(URI, [followerId, followeeId]))[0]?.uri ?? null;

/** Returns the target of the follow with this URI. */
export const followeeOf = async (db: Db, uri: string, followerId: string): Promise<string | undefined> =>
  (await db.query(TARGET, [uri, followerId]))[0]?.target_account_id;
