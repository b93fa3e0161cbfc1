import type { JobDefinition } from '#adapters/jobs/handler.ts';
import {
  attachOrReleaseMedia,
  attachOrReleaseScheduledMedia,
  releaseUnused,
} from '#commands/statuses/index.ts';
import { MediaAttached } from '#events/media.ts';
import {
  ScheduledStatusCancelled,
  ScheduledStatusFailed,
  ScheduledStatusMediaEdited,
} from '#events/scheduled-statuses.ts';
import { ReplyRequestEnded, StatusDeleted, StatusEdited } from '#events/statuses.ts';
import { reactor } from '#kernel/reactor.ts';

/** Releases the uploads that a post no longer uses; they are removed after a day. */
export const attachOrReleaseStatusMedia = reactor({
  name: 'status-media',
  on: [StatusEdited, StatusDeleted, ReplyRequestEnded],
  react: (ctx, { type, data }) =>
    attachOrReleaseMedia(ctx, data.id, type === 'StatusEdited' ? data.edit_id : undefined),
});

/** Releases the uploads that a scheduled post no longer uses, also after a crash. */
export const attachOrReleaseScheduled = reactor({
  name: 'scheduled-status-media',
  on: [ScheduledStatusMediaEdited, ScheduledStatusCancelled, ScheduledStatusFailed],
  react: (ctx, { data: { id } }) => attachOrReleaseScheduledMedia(ctx, id),
});

const UNUSED_UPLOADS = 'unused-uploads';
/** Seconds: a repeat of the request takes its uploads as long as its `Idempotency-Key` is kept, for a day. */
const CHECKED_AFTER = 25 * 3_600;

/** Has each claim of an upload checked a day later: its process may have ended before it stored the post. */
export const claimedUploads = reactor({
  name: 'claimed-uploads',
  on: [MediaAttached],
  react: async (ctx, { data: { id, status_id } }) => {
    const job = { singletonKey: `${id} ${status_id}`, after: CHECKED_AFTER };
    await ctx.services.jobs.enqueue(UNUSED_UPLOADS, { id, status_id }, job);
  },
});

/** Releases an upload that its post does not use. */
export const releaseUnusedUpload: JobDefinition = {
  name: UNUSED_UPLOADS,
  work: async (ctx, { id, status_id: statusId }) => {
    if (typeof id === 'string' && typeof statusId === 'string') await releaseUnused(ctx, [id], statusId);
  },
};
