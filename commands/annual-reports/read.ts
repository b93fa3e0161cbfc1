import { z } from 'zod';
import { annualReportStream } from '#events/annual-reports.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { yearParams } from '#queries/annual-reports/index.ts';
import { annualReport, decideRead } from './annual-report.ts';

/** https://docs.joinmastodon.org/methods/annual_reports/#read */
export const readAnnualReport = endpoint({
  method: 'POST',
  path: '/api/v1/annual_reports/:year/read',
  summary: 'Mark the report of a year as read',
  auth: 'user',
  scopes: ['write:accounts'],
  params: yearParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { year } }) => {
    const account_id = ctx.viewer.account_id;
    await ctx.execute(annualReportStream(account_id, year), annualReport, (state) =>
      decideRead(state, { account_id, year }),
    );
    return { json: {} };
  },
});
