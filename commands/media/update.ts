import { isDeepStrictEqual } from 'node:util';
import { type MediaEvent, mediaStream } from '#events/media.ts';
import { type MediaAttachmentData, mediaAttachmentJson } from '#events/media-attachment.ts';
import type { CommandContext, UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { onBehalfOf } from '#kernel/on-behalf.ts';
import type { Thumbnail } from '#kernel/services/media.ts';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';
import { mediaAttachmentSchema } from '#mastodon/schemas/index.ts';
import { fillOrigins } from '#queries/entities/ready-json.ts';
import { isScheduled } from '#queries/scheduled-statuses/index.ts';
import { removeFiles } from './files.ts';
import { checkTexts, mediaBody, type MediaTexts } from './input.ts';
import { type Media, media, requireOwn } from './media.ts';

/** https://docs.joinmastodon.org/methods/media/#update */
export const updateMedia = endpoint({
  method: 'PUT',
  path: '/api/v1/media/:id',
  summary: 'Change description, focus or thumbnail of media whose post is not published yet',
  auth: 'user',
  scopes: ['write:media'],
  params: idParams,
  body: mediaBody,
  files: {
    maxBytes: MEDIA_LIMITS.imageBytes,
    maxCount: 1,
    fields: { thumbnail: { description: 'A picture that stands for the media.' } },
  },
  reply: mediaAttachmentSchema,
  handler: async (ctx, { params: { id }, body, files: { thumbnail } }) => {
    const texts = checkTexts(body);
    // Before the work on a picture, with the same errors.
    const statusId = await requireUsable(ctx, id);
    const chosen =
      thumbnail && (await ctx.services.mediaProcessor.thumbnail(thumbnail.path, { id, ...onBehalfOf(ctx) }));
    const changes = { ...texts, ...(chosen ? { thumbnail: chosen } : {}) };
    const attachment = await changeMedia(ctx, id, changes, { statusId });
    return { text: fillOrigins(mediaAttachmentJson(attachment), ctx.instance) };
  },
});

export interface MediaChanges extends MediaTexts {
  thumbnail?: Thumbnail;
}

/**
 * Changes the user's own upload that is not attached, or attached to the given status.
 * @returns the attachment afterwards
 * @throws RookeryError `not_found`
 */
export async function changeMedia(
  ctx: CommandContext & Pick<UserContext, 'viewer'>,
  id: string,
  changes: MediaChanges,
  { statusId = null }: { statusId?: string | null } = {},
): Promise<MediaAttachmentData> {
  let replaced: string | null = null;
  const { state, events } = await ctx.execute(
    mediaStream(id),
    media,
    (before) => {
      const own = requireOwn(before, ctx.viewer.account_id);
      replaced = own.attachment.preview;
      return decideUpdate(before, { accountId: ctx.viewer.account_id, statusId }, changes);
    },
    { step: `change ${id}` },
  );
  const { attachment } = requireOwn(state, ctx.viewer.account_id);
  if (events.length > 0 && attachment.preview !== replaced) await removeFiles(ctx.services, [replaced]);
  return attachment;
}

/** Decides only differences. Pure. @throws RookeryError `not_found` when another status uses it */
export function decideUpdate(
  state: Media,
  { accountId, statusId }: { accountId: string; statusId: string | null },
  { description, focus, thumbnail }: MediaChanges,
): MediaEvent[] {
  const { attachment, statusId: attachedTo } = requireOwn(state, accountId);
  if (attachedTo !== null && attachedTo !== statusId) throw notFound();
  const meta = { ...attachment.meta };
  if (focus) meta.focus = focus;
  else if (focus === null) delete meta.focus;
  if (thumbnail) Object.assign(meta, { small: thumbnail.small, colors: thumbnail.colors });
  const changes = {
    ...(description === undefined || description === attachment.description ? {} : { description }),
    ...(thumbnail && thumbnail.preview !== attachment.preview
      ? { preview: thumbnail.preview, blurhash: thumbnail.blurhash }
      : {}),
    ...(isDeepStrictEqual(meta, attachment.meta ?? {}) ? {} : { meta }),
  };
  if (Object.keys(changes).length === 0) return [];
  return [{ type: 'MediaUpdated', data: { id: attachment.id, account_id: accountId, ...changes } }];
}

/**
 * Returns the id of the scheduled post with the upload, or null. @throws RookeryError `not_found`, `invalid`
 */
async function requireUsable(ctx: UserContext, id: string): Promise<string | null> {
  const { statusId, error } = requireOwn(await ctx.load(mediaStream(id), media), ctx.viewer.account_id);
  if (statusId !== null) {
    if (!(await isScheduled(ctx.db, statusId))) throw notFound();
  }
  if (error !== null) throw invalid(error);
  return statusId;
}
