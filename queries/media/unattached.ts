import { statement, type Db } from '../../src/kernel/read.ts';
import { heldAsEvidence } from '../reports/index.ts';

const UNATTACHED = statement(
  'media_unattached',
  `select m.id from media_attachments m
   where m.status_id is null and m.unattached_since <= $1 and not m.id = any($2) and not ${heldAsEvidence('m.id')}
   order by m.unattached_since, m.id limit 100`,
);
const NEXT = statement(
  'media_unattached_next',
  `select unattached_since as since from media_attachments
   where status_id is null and unattached_since > $1 order by unattached_since limit 1`,
);

/**
 * Uploads that no status has used since a moment (ISO 8601) or earlier, at most 100, without those `except` and those that open
 * reports need.
 */
export async function unattachedMedia(
  db: Db,
  moment: string,
  except: readonly string[],
): Promise<{ ids: string[]; nextSince: string | undefined }> {
  const [rows, [next]] = await Promise.all([
    db.query<{ id: string }>(UNATTACHED, [moment, except]),
    db.query<{ since: string }>(NEXT, [moment]),
  ]);
  return { ids: rows.map(({ id }) => id), nextSince: next?.since };
}
