import type { z } from 'zod';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import type { StatusData } from '#events/statuses.ts';
import type { UserContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { changeMedia, checkTexts, claimMedia, type mediaAttributes } from '../media/index.ts';
import { releaseUnused } from './unused-media.ts';

export interface MediaEdit {
  before: StatusData;
  input: { media_ids?: string[] | undefined; media_attributes?: z.output<typeof mediaAttributes> };
  /** Throws errors that would refuse the edit, before anything changes. */
  check: (media: MediaAttachmentData[]) => void;
}

/**
 * Attaches the uploads of the edited post, changes their descriptions, and passes them on. A reactor releases
 * dropped uploads after the edit. A stop before the edit leaves the new uploads attached, with their new
 * descriptions; a repeat completes the edit, or a job releases them a day later. @throws RookeryError `invalid`
 */
export async function withEditedMedia(
  ctx: UserContext,
  { before, input, check }: MediaEdit,
  work: (media: MediaAttachmentData[]) => Promise<unknown>,
): Promise<void> {
  const { id } = before;
  const ids = [...new Set(input.media_ids ?? [])];
  const texts = new Map(
    (input.media_attributes ?? [])
      .filter((each) => ids.includes(each.id))
      .map((each) => [each.id, checkTexts(each)]),
  );
  const claimed = await claimMedia(ctx, ids, id, { check });
  try {
    const media = claimed.map(async (each) => {
      const changes = texts.get(each.id);
      return changes ? changeMedia(ctx, each.id, changes, { statusId: id }) : each;
    });
    await work(await Promise.all(media));
  } catch (error) {
    // During an outage of the log it is unknown whether they are in use. A concurrent edit may have added them.
    if (isRookeryError(error) && error.code !== 'unavailable') await releaseUnused(ctx, ids, id);
    throw error;
  }
}
