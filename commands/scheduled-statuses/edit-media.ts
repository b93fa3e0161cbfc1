import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import { type ScheduledStatusEvent, scheduledStatusStream } from '#events/scheduled-statuses.ts';
import type { UserContext } from '#kernel/context.ts';
import { invalid } from '#kernel/errors.ts';
import { formStringArray } from '#kernel/input.ts';
import { changeMedia, checkTexts, claimMedia, mediaAttributes, releaseMedia } from '../media/index.ts';
import { mediaIdsOf, requireWaiting, type ScheduledStatus, scheduledStatus } from './scheduled-status.ts';

/** In the form of an edit of a status: https://docs.joinmastodon.org/methods/statuses/#edit */
export const mediaChanges = {
  media_ids: formStringArray(100, 40, { alone: true })
    .optional()
    .describe('IDs of all attachments that the status is to have, in their order; absent, they stay.'),
  media_attributes: mediaAttributes,
};
export type MediaChangesInput = z.output<z.ZodObject<typeof mediaChanges>>;

/**
 * Changes the uploads of a scheduled status: their selection, descriptions and focal points. A stop before
 * the status names the new uploads leaves them attached for a day, and a repeat completes the change; after a
 * later stop, a reactor releases the dropped ones.
 * @throws RookeryError `not_found`, `invalid`
 */
export async function editMedia(ctx: UserContext, id: string, input: MediaChangesInput): Promise<void> {
  const attributes = input.media_attributes ?? [];
  if (input.media_ids === undefined && attributes.length === 0) return;
  const me = ctx.viewer.account_id;
  const stream = scheduledStatusStream(id);
  const state = await ctx.load(stream, scheduledStatus);
  const { params } = requireWaiting(state, me);
  const before = mediaIdsOf(state);
  const wanted = [...new Set(input.media_ids ?? before)];
  if (wanted.length === 0 && params.text.trim() === '' && !params.spoiler_text?.trim()) {
    throw invalid("Validation failed: Text can't be blank");
  }
  if (wanted.length > 0 && params.poll) throw invalid('Cannot attach files to a post with a poll');
  const texts = attributes
    .filter((each) => wanted.includes(each.id))
    .map((each) => ({ id: each.id, texts: checkTexts(each) }));
  const claimed = await claimMedia(ctx, wanted, id);
  const changed = await Promise.all(
    texts.map((each) => changeMedia(ctx, each.id, each.texts, { statusId: id })),
  );
  const media = claimed.map((each) => changed.find((other) => other.id === each.id) ?? each);
  try {
    await ctx.execute(stream, scheduledStatus, (current) => decideMedia(current, me, media), {
      step: 'media',
    });
  } catch (error) {
    // It was published or cancelled meanwhile, without the new uploads.
    await releaseMedia(
      ctx,
      wanted.filter((each) => !before.includes(each)),
      id,
    );
    throw error;
  }
  await releaseMedia(
    ctx,
    before.filter((each) => !wanted.includes(each)),
    id,
  );
}

/** Pure. @throws RookeryError `not_found` */
export function decideMedia(
  state: ScheduledStatus,
  accountId: string,
  media: MediaAttachmentData[],
): ScheduledStatusEvent[] {
  const { id, account_id, media: before } = requireWaiting(state, accountId);
  if (isDeepStrictEqual(media, before)) return [];
  return [{ type: 'ScheduledStatusMediaEdited', data: { id, account_id, media } }];
}
