import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { GENERATE_REPORT, makeAnnualReport } from '#commands/annual-reports/index.ts';

/** Counts a user's year. For prolific users this takes a moment. */
export const generateReport: JobDefinition = {
  name: GENERATE_REPORT,
  work: async (ctx, { account_id: accountId, year, refresh_id: refreshId }) => {
    if (typeof accountId !== 'string' || typeof year !== 'number' || typeof refreshId !== 'string') return;
    await makeAnnualReport(ctx, { accountId, year, refreshId });
  },
};
