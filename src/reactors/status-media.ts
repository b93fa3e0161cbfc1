import { attachOrReleaseMedia } from '#commands/statuses/index.ts';
import { ReplyRequestEnded, StatusDeleted, StatusEdited } from '#events/statuses.ts';
import { reactor } from '#kernel/reactor.ts';

/** Releases the uploads that a post no longer uses; they are removed after a day. */
export const attachOrReleaseStatusMedia = reactor({
  name: 'status-media',
  on: [StatusEdited, StatusDeleted, ReplyRequestEnded],
  react: (ctx, { type, data }) =>
    attachOrReleaseMedia(ctx, data.id, type === 'StatusEdited' ? data.edit_id : undefined),
});
