import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';

const LOCAL = 'join accounts a on a.id = s.account_id and a.domain is null';
const NEXT = 's.target_account_id = $1 and s.account_id < $2';
const PAGE = 'order by s.account_id desc limit $3';
const BLOCKERS = statement<{ id: Id }>(
  'local_blockers',
  `select s.account_id as id from blocks s ${LOCAL} where ${NEXT} ${PAGE}`,
);
const MUTERS = statement<Muter>(
  'local_muters',
  `select s.account_id as id, s.notifications, s.expires_at from mutes s ${LOCAL}
   where ${NEXT} and (s.expires_at is null or s.expires_at > now()) ${PAGE}`,
);

/** A local account that mutes an account, and the mute's settings. */
export interface Muter {
  id: Id;
  notifications: boolean;
  /** ISO 8601, null for never. */
  expires_at: string | null;
}

/** Returns the local accounts that block an account, with ids below `before`, highest id first. */
export const localBlockersOf = (db: Db, accountId: Id, before: Id, limit: number): Promise<{ id: Id }[]> =>
  db.query(BLOCKERS, [accountId, before, limit]);

/** Returns the local accounts that mute an account, like `localBlockersOf`. */
export const localMutersOf = (db: Db, accountId: Id, before: Id, limit: number): Promise<Muter[]> =>
  db.query(MUTERS, [accountId, before, limit]);
