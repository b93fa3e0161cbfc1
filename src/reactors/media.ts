import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { processMedia, removeUnattached } from '#commands/media/index.ts';
import { AppealApproved, AppealRejected, AppealWithdrawn } from '#events/appeals.ts';
import { MediaDetached, MediaUploaded } from '#events/media.ts';
import { ReportResolved } from '#events/reports.ts';
import { MAIN } from '#kernel/projection.ts';
import { reactor, timer } from '#kernel/reactor.ts';
import { unattachedMedia } from '#queries/media/index.ts';

const PROCESS_MEDIA = 'media-process';

/** Slow uploads become jobs, which several processes share. */
export const queueUploads = reactor({
  name: 'media-processing',
  on: [MediaUploaded],
  begins: 'start',
  react: async (ctx, { data: { id, account_id: owner, source } }) => {
    if (source === null) return;
    await ctx.services.jobs.enqueue(PROCESS_MEDIA, { media_id: id }, { singletonKey: id, owner });
  },
});

/** Renders an upload. */
export const processUpload: JobDefinition = {
  name: PROCESS_MEDIA,
  work: async (ctx, { media_id: id }, run) => {
    if (typeof id === 'string') await processMedia(ctx, id, run);
  },
};

/** https://docs.joinmastodon.org/methods/statuses/#delete: the time to redraft a deleted status. */
const KEPT_FOR = 24 * 3_600_000;

/**
 * Removes uploads that no status has used for a day. Files that reports and appeals need stay until those are
 * decided.
 */
export const removeForgotten = timer({
  name: 'media-removal',
  wakes: [MediaUploaded, MediaDetached, ReportResolved, AppealWithdrawn, AppealApproved, AppealRejected],
  reads: [MAIN],
  due: async (db, now, except) => {
    const { ids, next } = await unattachedMedia(db, { now, keptFor: KEPT_FOR, except });
    return { rows: ids.map((key) => ({ key })), next };
  },
  fire: (ctx, { key }) => removeUnattached(ctx, key),
});
