import { statement, type Db } from '../../src/kernel/read.ts';

const VISITORS = statement(
  'domain_block_visitors',
  `select a.id from accounts a
   where a.domain = $2 and a.id > $3 and (
     exists (select from follows f where f.account_id = a.id and f.target_account_id = $1)
     or exists (select from follow_requests r where r.account_id = a.id and r.target_account_id = $1))
   order by a.id limit $4`,
);

/** Who of a domain follows an account or asks to: ids above `after`, in rising order. */
export async function visitorsFrom(
  db: Db,
  accountId: string,
  domain: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(VISITORS, [accountId, domain, after, limit]);
  return rows.map(({ id }) => id);
}
