import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { ExportType } from '#mastodon/portability.ts';

const COUNTS = statement<Record<ExportType, number>>(
  'export_counts',
  `select (select count(*)::int from follows where account_id = $1) as following,
     (select count(*)::int from follows where target_account_id = $1) as followers,
     (select count(*)::int from blocks where account_id = $1) as blocks,
     (select count(*)::int from mutes where account_id = $1 and (expires_at is null or expires_at > now())) as mutes,
     (select count(*)::int from user_domain_blocks where account_id = $1) as "domain-blocks",
     (select count(*)::int from lists where account_id = $1) as lists,
     (select count(*)::int from interactions where account_id = $1 and bookmark_id is not null) as bookmarks`,
);

/**
 * Returns the number of rows of each export; for lists, the number of lists. Suspended accounts count, but
 * are in no file.
 */
export async function exportCounts(db: Db, accountId: Id): Promise<Partial<Record<ExportType, number>>> {
  const [row] = await db.query(COUNTS, [accountId]);
  return row ?? {};
}
