import { type Db, statement } from '#kernel/read.ts';

const KEY = `concat(b.digest, ' ', extract(epoch from b.expires_at))`;
const EXPIRED = statement<{ key: string; digest: string }>(
  'ip_blocks_expired',
  `select ${KEY} as key, b.digest from ip_blocks b
   where b.expires_at <= $1 and ${KEY} <> all($2::text[]) order by b.expires_at limit 100`,
);
const NEXT = statement<{ next: string | null }>(
  'ip_blocks_next_expiry',
  'select min(expires_at) as next from ip_blocks where expires_at > $1',
);

/** Returns the blocks that have expired at `now`, and the time at which the next one expires. */
export async function expiredIpBlocks(
  db: Db,
  now: string,
  except: readonly string[],
): Promise<{ rows: { key: string; digest: string }[]; next: string | undefined }> {
  const [rows, [row]] = await Promise.all([db.query(EXPIRED, [now, except]), db.query(NEXT, [now])]);
  return { rows, next: row?.next ?? undefined };
}
