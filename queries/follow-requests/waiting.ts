import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';

const WAITING = statement<{ id: string; account_id: string }>(
  'follow_requests_waiting',
  `select id, account_id from follow_requests
   where target_account_id = $1 and id < $2 and exists (select from accounts a where a.id = $1 and a.domain is null)
   order by id desc limit $3`,
);

/**
 * Returns follow requests to a local account with ids below `before`, newest first. Requests to a remote
 * account wait for its server's answer, whatever its profile says (CVE-2025-30741).
 */
export const waitingFor = (
  db: Db,
  accountId: Id,
  before: Id,
  limit: number,
): Promise<{ id: Id; account_id: Id }[]> => db.query(WAITING, [accountId, before, limit]);
