import type { MediaAttachmentRow } from '../../projections/media.ts';
import { mediaAttachmentJson } from '../../src/events/media-attachment.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { invalid, notFound } from '../../src/kernel/errors.ts';
import { idParams } from '../../src/kernel/input.ts';
import type { MediaMeta } from '../../src/kernel/media.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { statement } from '../../src/kernel/read.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { mediaAttachmentSchema } from '../entities/schemas/index.ts';

const SHOW = statement(
  'media_show',
  `select id, type, file, preview, remote_url, meta, description, blurhash, state, error
   from media_attachments where id = $1 and account_id = $2 and status_id is null and sealed_by is null`,
);

/** https://docs.joinmastodon.org/methods/media/#get: 206 while the file is being processed, 422 when that failed. */
export const showMedia = endpoint({
  method: 'GET',
  path: '/api/v1/media/:id',
  summary: 'View own media before it is attached',
  auth: 'user',
  scopes: ['write:media'],
  params: idParams,
  replies: { 206: 'The file is still processed' },
  errors: [422],
  reply: mediaAttachmentSchema,
  handler: async (ctx, { params: { id } }) => {
    await ctx.settle([MAIN]);
    const [row] = await ctx.db.query<MediaAttachmentRow>(SHOW, [id, ctx.viewer.account_id]);
    if (!row) throw notFound();
    if (row.error !== null) throw invalid(row.error);
    const meta = row.meta === null ? null : (JSON.parse(row.meta) as MediaMeta);
    return {
      text: fillOrigins(mediaAttachmentJson({ ...row, meta }), ctx.instance),
      status: row.state === 'processing' ? 206 : 200,
    };
  },
});
