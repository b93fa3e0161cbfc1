import { describedMedia, isDescribed, type MediaAttachmentData } from '#events/media-attachment.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import { changedFields } from '#kernel/changed-fields.ts';
import type { Id } from '#kernel/ids.ts';
import { type Status, status } from '../statuses/index.ts';
import { useCase } from '../use-case.ts';

/** The results of rendering an attachment. */
export interface FoundOfAttachment extends Pick<MediaAttachmentData, 'blurhash'> {
  meta: NonNullable<MediaAttachmentData['meta']>;
  type?: MediaAttachmentData['type'];
}

/** Records properties of a remote attachment that its server did not state. */
export const describeAttachment = useCase({
  stream: ({ statusId }: { statusId: Id; attachmentId: Id; found: FoundOfAttachment }) =>
    statusStream(statusId),
  decider: status,
  decide: (state, { attachmentId, found }) => decideDescribe(state, attachmentId, found),
  step: ({ attachmentId }) => attachmentId,
});

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
