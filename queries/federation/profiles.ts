import { statement, type Db } from '../../src/kernel/read.ts';

/** The profile of an account of another server, as far as it is known here. */
export interface RemoteProfile {
  uri: string;
  /** How many of each are known here. */
  followers: number;
  following: number;
  statuses: number;
}

const PROFILE = statement(
  'federation_remote_profile',
  `select a.uri, coalesce(st.followers_count, 0) as followers, coalesce(st.following_count, 0) as following,
     coalesce(st.statuses_count, 0) as statuses
   from accounts a left join account_stats st on st.account_id = a.id
   where a.id = $1 and a.domain is not null and not a.suspended`,
);
const PINS = statement(
  'federation_remote_pins',
  `select s.id, s.uri from status_pins p join statuses s on s.id = p.status_id
   where p.account_id = $1 and not s.deleted order by p.pin_id limit $2`,
);

/** Undefined for a local account and for a suspended one. */
export const remoteProfile = async (db: Db, accountId: string): Promise<RemoteProfile | undefined> =>
  (await db.query<RemoteProfile>(PROFILE, [accountId]))[0];

/** Pinned posts of an account, those first that were pinned first. */
export const pinsOf = (db: Db, accountId: string, limit: number): Promise<{ id: string; uri: string }[]> =>
  db.query(PINS, [accountId, limit]);
