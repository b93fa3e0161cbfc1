import { type MediaEvent, mediaStream } from '#events/media.ts';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import { mediaAttachmentJson } from '#events/media-attachment.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint, type Reply, type UploadedFile } from '#kernel/endpoint.ts';
import { invalid } from '#kernel/errors.ts';
import { onBehalfOf } from '#kernel/on-behalf.ts';
import type { RenderedMedia, Thumbnail } from '#kernel/services/media.ts';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';
import { mediaAttachmentSchema } from '#mastodon/schemas/index.ts';
import { fillOrigins } from '#queries/entities/ready-json.ts';
import { removeFiles } from './files.ts';
import { checkTexts, mediaBody, type MediaTexts } from './input.ts';
import { media } from './media.ts';

const shared = {
  method: 'POST',
  auth: 'user',
  scopes: ['write:media'],
  body: mediaBody,
  files: {
    maxBytes: MEDIA_LIMITS.videoBytes,
    maxCount: 2,
    fields: {
      file: { description: 'The picture, video or sound.', required: true },
      thumbnail: { description: 'A picture that stands for the media.' },
    },
  },
  limit: 'media',
  reply: mediaAttachmentSchema,
} as const;

/** https://docs.joinmastodon.org/methods/media/#v2 */
export const uploadMedia = endpoint({
  ...shared,
  path: '/api/v2/media',
  summary: 'Upload media; large types are processed later',
  replies: { 202: 'The file is stored and still processed' },
  handler: (ctx, { body, files }) => upload(ctx, checkTexts(body), files, false),
});

/** https://docs.joinmastodon.org/methods/media/#v1 */
export const uploadMediaAndWait = endpoint({
  ...shared,
  path: '/api/v1/media',
  summary: 'Upload media and wait until it is processed',
  deprecated: true,
  handler: (ctx, { body, files }) => upload(ctx, checkTexts(body), files, true),
});

async function upload(
  ctx: UserContext,
  texts: MediaTexts,
  { file, thumbnail }: Record<string, UploadedFile | undefined>,
  whole: boolean,
): Promise<Reply> {
  if (!file) throw invalid("Validation failed: File can't be blank");
  const id = ctx.newId();
  const taken = await ctx.services.mediaProcessor.take(file.path, { id, whole, ...onBehalfOf(ctx) });
  const chosen = thumbnail && (await chosenThumbnail(ctx, id, thumbnail, taken));
  const attachment = toAttachment(id, taken.media, texts, chosen);
  const { events } = await ctx.execute(
    mediaStream(id),
    media,
    (): MediaEvent[] => [
      {
        type: 'MediaUploaded',
        data: {
          ...attachment,
          account_id: ctx.viewer.account_id,
          created_at: ctx.now,
          state: taken.source === null ? 'processed' : 'processing',
          source: taken.source,
        },
      },
    ],
    { isNew: true },
  );
  // A repeated command replies with the result of the first one.
  const stored = events.find((event) => event.type === 'MediaUploaded')?.data;
  return {
    text: fillOrigins(mediaAttachmentJson(stored ?? attachment), ctx.instance),
    status: stored?.state === 'processing' ? 202 : 200,
  };
}

/** Replaces the rendered preview. Stores nothing of an upload whose thumbnail is refused. */
async function chosenThumbnail(
  ctx: UserContext,
  id: string,
  { path }: UploadedFile,
  { media: { file, preview }, source }: { media: RenderedMedia; source: string | null },
): Promise<Thumbnail> {
  try {
    const chosen = await ctx.services.mediaProcessor.thumbnail(path, { id, ...onBehalfOf(ctx) });
    if (preview !== chosen.preview) await removeFiles(ctx.services, [preview]);
    return chosen;
  } catch (error) {
    await removeFiles(ctx.services, [file, preview, source]);
    throw error;
  }
}

function toAttachment(
  id: string,
  rendered: RenderedMedia,
  { description = null, focus }: MediaTexts,
  chosen: Thumbnail | undefined,
): MediaAttachmentData {
  const { preview, blurhash, small, colors } = chosen ?? {};
  return {
    id,
    type: rendered.type,
    file: rendered.file,
    preview: preview ?? rendered.preview,
    remote_url: null,
    meta: {
      ...rendered.meta,
      ...(small ? { small } : {}),
      ...(colors ? { colors } : {}),
      ...(focus ? { focus } : {}),
    },
    description,
    blurhash: blurhash ?? rendered.blurhash,
  };
}
