import { type Db, statement } from '#kernel/read.ts';

const OF_ADDRESS = statement<{ account_id: string }>(
  'account_of_address',
  'select account_id from users where lower(email) = lower($1) order by account_id limit 1',
);

/** Returns the account whose user has this e-mail address. */
export async function accountIdOfAddress(db: Db, email: string): Promise<string | undefined> {
  const [row] = await db.query(OF_ADDRESS, [email]);
  return row?.account_id;
}
