import { statement, type Db } from '../../src/kernel/read.ts';

/** Another account of the same person, as an account names it. */
export interface Alias {
  uri: string;
  username: string;
  /** Null of one of this server. */
  domain: string | null;
}

const ALIASES = statement(
  'account_aliases',
  `select n.uri, a.username, a.domain from account_aliases n join accounts a on a.uri = n.uri
   where n.account_id = $1 order by a.acct_key`,
);

/** Which accounts an account names as the same person's: `MAX_ALIASES` of the write side at most. */
export const aliasesOf = (db: Db, accountId: string): Promise<Alias[]> =>
  db.query<Alias>(ALIASES, [accountId]);
