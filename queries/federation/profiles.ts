import { type Db, statement } from '#kernel/read.ts';

/** The known part of a remote account's profile. */
export interface RemoteProfile {
  uri: string;
  /** The number of each that this server knows. */
  followers: number;
  following: number;
  statuses: number;
}

const PROFILE = statement<RemoteProfile>(
  'federation_remote_profile',
  `select a.uri, coalesce(st.followers_count, 0) as followers, coalesce(st.following_count, 0) as following,
     coalesce(st.statuses_count, 0) as statuses
   from accounts a left join account_stats st on st.account_id = a.id
   where a.id = $1 and a.domain is not null and not a.suspended`,
);
const PINS = statement<{ id: string; uri: string }>(
  'federation_remote_pins',
  `select s.id, s.uri from status_pins p join statuses s on s.id = p.status_id
   where p.account_id = $1 and not s.deleted order by p.pin_id limit $2`,
);

/** Returns undefined for a local or suspended account. */
export const remoteProfile = async (db: Db, accountId: string): Promise<RemoteProfile | undefined> =>
  (await db.query(PROFILE, [accountId]))[0];

/** Returns the pinned posts of an account, in the order in which they were pinned. */
export const pinsOf = (db: Db, accountId: string, limit: number): Promise<{ id: string; uri: string }[]> =>
  db.query(PINS, [accountId, limit]);
