import type { z } from 'zod';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import { type StatusData, statusStream } from '#events/statuses.ts';
import type { UserContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { changeMedia, checkTexts, claimMedia, type mediaAttributes, releaseMedia } from '../media/index.ts';
import { status } from './status.ts';

export interface MediaEdit {
  before: StatusData;
  input: { media_ids?: string[] | undefined; media_attributes?: z.output<typeof mediaAttributes> };
  /** Throws errors that would refuse the edit, before anything changes. */
  check: (media: MediaAttachmentData[]) => void;
}

/**
 * Attaches the uploads of the edited post, changes their descriptions, and passes them on. A reactor releases
 * dropped uploads after the edit. A stop before the edit leaves the new uploads attached, with their new
 * descriptions; a repeat completes the edit. @throws RookeryError `invalid`
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
    // During an outage of the log it is unknown whether they are in use.
    if (isRookeryError(error) && error.code !== 'unavailable') await releaseUnused(ctx, id, ids);
    throw error;
  }
}

/** A concurrent edit may have added the same. */
async function releaseUnused(ctx: UserContext, statusId: string, ids: readonly string[]): Promise<void> {
  const state = await ctx.load(statusStream(statusId), status);
  const used = state.state === 'visible' ? state.data.media.map(({ id }) => id) : [];
  await releaseMedia(
    ctx,
    ids.filter((id) => !used.includes(id)),
    statusId,
  );
}
