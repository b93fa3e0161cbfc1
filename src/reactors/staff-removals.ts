import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { finishSanction, liftMarksOf, sealRemoved } from '#commands/admin/statuses/index.ts';
import { AppealApproved } from '#events/appeals.ts';
import { AccountWarned } from '#events/moderation.ts';
import { StatusRemoved } from '#events/statuses.ts';
import { reactor } from '#kernel/reactor.ts';

const FINISH_SANCTION = 'finish-sanction';
/** Seconds. By then the request that made the strike has done the rest, unless its process ended. */
const FINISHED_AFTER = 60;

/** Completes an action of staff, also after a crash. */
export const sanctions = reactor({
  name: 'measures',
  on: [AccountWarned],
  ignores: ({ data }) => data.action === 'none' && data.report_id === null,
  react: async (ctx, { data: { id, account_id, report_id }, metadata }) => {
    const data = { id, account_id, report_id, staff_id: metadata.actor?.account_id ?? null };
    await ctx.services.jobs.enqueue(FINISH_SANCTION, data, { singletonKey: id, after: FINISHED_AFTER });
  },
});

export const finishStaffSanction: JobDefinition = {
  name: FINISH_SANCTION,
  work: async (ctx, { id, account_id: accountId, report_id: reportId, staff_id: staffId }, { signal }) => {
    if (typeof id !== 'string' || typeof accountId !== 'string') return;
    const sanction = {
      accountId,
      strikeId: id,
      reportId: textOrNull(reportId),
      staffId: textOrNull(staffId),
    };
    await finishSanction(ctx, sanction, signal);
  },
};

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Seals the media of posts that staff removed, also after a crash. */
export const removedMedia = reactor({
  name: 'removed-media',
  on: [StatusRemoved],
  react: (ctx, { data: { id, strike_id } }) => sealRemoved(ctx, { id, strikeId: strike_id }),
});

/** Ends the sensitive marks of an overruled strike. */
export const overruledMarks = reactor({
  name: 'overruled-marks',
  on: [AppealApproved],
  react: (ctx, { data: { account_id, strike_id } }) => liftMarksOf(ctx, account_id, strike_id),
});
