import { type Db, statement } from '#kernel/read.ts';

const AUTHOR = statement<{ username: string }>(
  'posting_username',
  `select a.username from users u join accounts a on a.id = u.account_id
   where u.account_id = $1 and u.confirmed and u.approved and not u.disabled and not u.suspended and not u.moved`,
);

/** Returns the name of a local author who may post now; otherwise undefined. */
export async function postingUsername(db: Db, accountId: string): Promise<string | undefined> {
  const [row] = await db.query(AUTHOR, [accountId]);
  return row?.username;
}
