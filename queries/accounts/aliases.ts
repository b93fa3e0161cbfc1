import { type Db, statement } from '#kernel/read.ts';
import { shownDomain } from '../entities/handles.ts';

/** Another account of the same user, which this account names as its alias. */
export interface Alias {
  uri: string;
  username: string;
  /** Null for a local account. */
  domain: string | null;
}

const ALIASES = statement<Alias>(
  'account_aliases',
  `select n.uri, a.username, ${shownDomain()} as domain from account_aliases n join accounts a on a.uri = n.uri
   where n.account_id = $1 order by a.acct_key`,
);

/** Returns the aliases of an account, at most `MAX_ALIASES` of the write side. */
export const aliasesOf = (db: Db, accountId: string): Promise<Alias[]> => db.query(ALIASES, [accountId]);
