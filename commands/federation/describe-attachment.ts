import { describedMedia, isDescribed, type MediaAttachmentData } from '../../src/events/media-attachment.ts';
import { statusStream, type StatusEvent } from '../../src/events/statuses.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { changedFields } from '../../src/kernel/changed-fields.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { status, type Status } from '../statuses/index.ts';

/** The results of rendering an attachment. */
export interface FoundOfAttachment extends Pick<MediaAttachmentData, 'blurhash'> {
  meta: NonNullable<MediaAttachmentData['meta']>;
  type?: MediaAttachmentData['type'];
}

/** Records properties of a remote attachment that its server did not state. */
export async function describeAttachment(
  ctx: CommandContext,
  at: { statusId: Id; attachmentId: Id },
  found: FoundOfAttachment,
): Promise<void> {
  const decide = (state: Status) => decideDescribe(state, at.attachmentId, found);
  await ctx.execute(statusStream(at.statusId), status, decide, { step: at.attachmentId });
}

/** Decides nothing when everything is known already. Pure. */
export function decideDescribe(
  state: Status,
  attachmentId: Id,
  { blurhash, meta, type }: FoundOfAttachment,
): StatusEvent[] {
  if (state.state !== 'visible' || state.data.local) return [];
  const { id, account_id, media } = state.data;
  const attachment = media.find((each) => each.id === attachmentId);
  if (!attachment || isDescribed(attachment)) return [];
  const found = { blurhash, meta, ...(type === undefined ? {} : { media_type: type }) };
  if (!changedFields(attachment, describedMedia(attachment, found))) return [];
  return [{ type: 'AttachmentDescribed', data: { id, account_id, attachment_id: attachmentId, ...found } }];
}
