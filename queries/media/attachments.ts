import { mediaAttachmentJson } from '#events/media-attachment.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { MediaMeta } from '#mastodon/media-limits.ts';
import type { MediaAttachmentRow } from '#projections/media.ts';

export const ATTACHMENT_COLUMNS = 'id, type, file, preview, remote_url, meta, description, blurhash';
export type AttachmentRow = Pick<
  MediaAttachmentRow,
  'id' | 'type' | 'file' | 'preview' | 'remote_url' | 'meta' | 'description' | 'blurhash'
>;

const BY_IDS = statement<AttachmentRow>(
  'media_by_ids',
  `select ${ATTACHMENT_COLUMNS} from media_attachments where id = any($1)`,
);

/** Returns ready JSON of a row, without hosts. */
export const attachmentJson = (row: AttachmentRow): string =>
  mediaAttachmentJson({ ...row, meta: row.meta === null ? null : (JSON.parse(row.meta) as MediaMeta) });

/** Returns the uploads with these ids as ready JSON, by id. Deleted uploads are absent. */
export async function attachmentsById(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query(BY_IDS, [ids]);
  return new Map(rows.map((row) => [row.id, attachmentJson(row)]));
}
