import { statement, type Db } from '../../src/kernel/read.ts';

/** Those who follow or ask to, newest first by the id of the follow or request; each branch reads one index in order. */
const VISITORS = statement(
  'domain_block_visitors',
  `select v.account_id, v.id from (
     select account_id, id from follows where target_account_id = $1
     union all
     select account_id, id from follow_requests where target_account_id = $1
   ) v join accounts a on a.id = v.account_id
   where a.domain = $2 and v.id < $3
   order by v.id desc limit $4`,
);

export interface Visitor {
  account_id: string;
  /** Of the follow or request: pages go on below it. */
  id: string;
}

/** Who of a domain follows an account or asks to, with a follow or request older than `before`. */
export const visitorsFrom = (
  db: Db,
  accountId: string,
  domain: string,
  before: string,
  limit: number,
): Promise<Visitor[]> => db.query<Visitor>(VISITORS, [accountId, domain, before, limit]);
