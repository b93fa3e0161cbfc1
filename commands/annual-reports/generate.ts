import { z } from 'zod';
import { annualReportStream } from '#events/annual-reports.ts';
import type { CommandContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import type { Id } from '#kernel/ids.ts';
import { asyncRefreshHeader } from '#kernel/services/async-refresh.ts';
import {
  annualReportKey,
  annualReportState,
  countYear,
  REPORT_RETRY,
  yearParams,
} from '#queries/annual-reports/index.ts';
import { annualReport, decideGenerated } from './annual-report.ts';

/** The job that counts a year. */
export const GENERATE_REPORT = 'annual-report';

/**
 * 202 while it is generated; 200 when it exists or cannot be generated.
 * https://docs.joinmastodon.org/methods/annual_reports/#generate
 */
export const generateAnnualReport = endpoint({
  method: 'POST',
  path: '/api/v1/annual_reports/:year/generate',
  summary: 'Have a report of a year made',
  auth: 'user',
  scopes: ['write:accounts'],
  params: yearParams,
  reply: z.strictObject({}),
  replies: { 202: 'The report is being made' },
  handler: async (ctx, { params: { year } }) => {
    const { state } = await annualReportState(ctx, year);
    if (state === 'available' || state === 'ineligible') return { json: {} };
    const account_id = ctx.viewer.account_id;
    const key = annualReportKey(account_id, year);
    const begun = await ctx.services.asyncRefreshes.begin(key, { pause: 0, counts: false });
    if (begun?.begun) {
      const job = { account_id, year, refresh_id: begun.refresh.id };
      await ctx.services.jobs.enqueue(GENERATE_REPORT, job, { singletonKey: key });
    }
    return { json: {}, status: 202, headers: begun ? asyncRefreshHeader(begun.refresh, REPORT_RETRY) : {} };
  },
});

/** Counts a year and stores the result. May run again: the first count stays. */
export async function makeAnnualReport(
  ctx: CommandContext,
  { accountId: account_id, year, refreshId }: { accountId: Id; year: number; refreshId: string },
): Promise<void> {
  const data = await countYear(ctx.db, account_id, year);
  await ctx.execute(annualReportStream(account_id, year), annualReport, (state) =>
    decideGenerated(state, { account_id, year }, data),
  );
  await ctx.waitForReadModels();
  await ctx.services.asyncRefreshes.finish(refreshId);
}
