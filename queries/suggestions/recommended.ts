import { type Db, statement } from '#kernel/read.ts';

const RECOMMENDED = statement<{ acct: string }>(
  'suggestions_recommended',
  `select a.acct_key as acct from recommended_accounts r join accounts a on a.id = r.account_id
   order by r.position desc limit 1000`,
);

/** Returns the handles of accounts that staff recommend, newest first. */
export const recommendedAccounts = async (db: Db): Promise<string[]> =>
  (await db.query(RECOMMENDED)).map(({ acct }) => acct);
