import { endpoint } from '#kernel/endpoint.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { statement } from '#kernel/read.ts';
import { mediaAttachmentSchema } from '#mastodon/schemas/index.ts';
import type { MediaAttachmentRow } from '#projections/media.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { ATTACHMENT_COLUMNS, attachmentJson, type AttachmentRow } from './attachments.ts';

const SHOW = statement<Shown>(
  'media_show',
  `select ${ATTACHMENT_COLUMNS}, state, error from media_attachments m
   where id = $1 and account_id = $2 and sealed_by is null
     and (status_id is null or exists (select from scheduled_statuses s where s.id = m.status_id))`,
);
type Shown = AttachmentRow & Pick<MediaAttachmentRow, 'state' | 'error'>;

/**
 * https://docs.joinmastodon.org/methods/media/#get: 206 while the file is being processed, 422 when
 * processing failed.
 */
export const showMedia = endpoint({
  method: 'GET',
  path: '/api/v1/media/:id',
  summary: 'View own media before its post is published',
  auth: 'user',
  scopes: ['write:media'],
  params: idParams,
  replies: { 206: 'The file is still processed' },
  errors: [422],
  reply: mediaAttachmentSchema,
  handler: async (ctx, { params: { id } }) => {
    const [row] = await ctx.db.query(SHOW, [id, ctx.viewer.account_id]);
    if (!row) throw notFound();
    if (row.error !== null) throw invalid(row.error);
    return {
      text: fillOrigins(attachmentJson(row), ctx.instance),
      status: row.state === 'processing' ? 206 : 200,
    };
  },
});
