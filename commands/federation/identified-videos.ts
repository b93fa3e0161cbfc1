import { describedMedia, type MediaAttachmentData } from '#events/media-attachment.ts';
import type { CommandContext } from '#kernel/context.ts';

/** Videos of one post that it waits for; the type of others is known when they are played. */
const MAX_IDENTIFIED = 4;

/**
 * Returns the attachments of another server's post with what the beginnings of its videos tell, so that the first
 * reader already sees a video without sound as the animation that it is. Takes at most three seconds. Skips the
 * known attachments of an edited post.
 */
export async function identifiedVideos(
  { services }: CommandContext,
  media: MediaAttachmentData[],
  known: readonly MediaAttachmentData[] = [],
): Promise<MediaAttachmentData[]> {
  const urls = new Set(known.map(({ remote_url }) => remote_url));
  const unknown = media
    .filter(({ type, meta }) => type === 'video' && meta?.original?.duration === undefined)
    .filter(({ remote_url }) => !urls.has(remote_url))
    .slice(0, MAX_IDENTIFIED);
  return Promise.all(
    media.map(async (attachment) => {
      if (!unknown.includes(attachment) || attachment.remote_url === null) return attachment;
      const found = await services.remoteMedia.identify(attachment.remote_url);
      return found ? describedMedia(attachment, { ...found, media_type: found.type }) : attachment;
    }),
  );
}
