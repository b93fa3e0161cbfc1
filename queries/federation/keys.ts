import { type Db, statement } from '#kernel/read.ts';

const WITH_KEYS = statement<{ id: string; username: string }>(
  'federation_accounts_with_keys',
  `select a.id, a.username from durable.actor_keys k join accounts a on a.id = k.account_id
   where k.account_id > $1 and a.domain is null and not a.suspended order by k.account_id limit $2`,
);

/** Returns local accounts with ids above `after` that have a key and are not suspended, by id. */
export const accountsWithKeys = (
  db: Db,
  after: string,
  limit: number,
): Promise<{ id: string; username: string }[]> => db.query(WITH_KEYS, [after, limit]);
