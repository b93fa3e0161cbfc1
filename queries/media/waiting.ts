import { statement, type Db } from '../../src/kernel/read.ts';

const UNATTACHED = statement(
  'media_unattached',
  `select id from media_attachments
   where status_id is null and unattached_since < $1 and id > $2 order by id limit $3`,
);
const PROCESSING = statement(
  'media_processing',
  `select id from media_attachments where state = 'processing' and created_at < $1 order by id limit $2`,
);

/** Uploads, in the order of their ids, that no status has used since before a moment (ISO 8601). */
export async function unattachedMedia(
  db: Db,
  { before, after, limit }: { before: string; after: string; limit: number },
): Promise<string[]> {
  return (await db.query<{ id: string }>(UNATTACHED, [before, after, limit])).map(({ id }) => id);
}

/** Uploads from before a moment (ISO 8601) that are not processed yet, the oldest first. */
export async function processingMedia(db: Db, before: string, limit: number): Promise<string[]> {
  return (await db.query<{ id: string }>(PROCESSING, [before, limit])).map(({ id }) => id);
}
