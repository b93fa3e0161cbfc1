import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';

const OWNERS = statement<{ owners: number }>(
  'owners_besides',
  `select count(*)::int as owners from users
   where role = 'Owner' and confirmed and approved and not disabled and not suspended and account_id <> all($1::bigint[])`,
);

/** Returns the number of owners besides these that can sign in. */
export async function ownersBesides(db: Db, ids: readonly Id[]): Promise<number> {
  const [row] = await db.query(OWNERS, [ids]);
  return row?.owners ?? 0;
}
