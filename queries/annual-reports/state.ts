import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import type { Id } from '#kernel/ids.ts';
import { statement } from '#kernel/read.ts';
import { type AsyncRefresh, asyncRefreshHeader } from '#kernel/services/async-refresh.ts';
import { annualReportYear } from '#mastodon/annual-report-window.ts';
import { instanceSettings } from '../instance/index.ts';
import { postedIn } from './counts.ts';

/** Years have four digits; other text names no report. */
export const yearParams = z.object({
  year: z
    .string()
    .regex(/^[1-9][0-9]{3}$/)
    .transform(Number)
    .describe('The year of the report, in four digits.'),
});

const stateParams = z.object({
  year: z
    .string()
    .max(64)
    .transform((text) => yearParams.shape.year.safeParse(text).data ?? null)
    .describe('The year of the report; for what is no year in four digits there is none.'),
});

const EXISTS = statement<{ there: boolean }>(
  'annual_report_exists',
  'select exists (select from annual_reports where account_id = $1 and year = $2) as there',
);

/** Returns the name of the refresh that makes a report. */
export const annualReportKey = (accountId: Id, year: number): string => `annual-report:${accountId}:${year}`;
/** Seconds after which a client asks again whether a report is ready. */
export const REPORT_RETRY = 2;

/** `refresh` is present while the report is being made. */
export type AnnualReportState =
  { state: 'available' | 'eligible' | 'ineligible' } | { state: 'generating'; refresh: AsyncRefresh };

const NONE = { state: 'ineligible' } as const;

/** Returns the state of the viewer's report of a year. */
export async function annualReportState(ctx: UserContext, year: number): Promise<AnnualReportState> {
  const me = ctx.viewer.account_id;
  // The order matters: a report exists before its refresh ends.
  const refresh = await ctx.services.asyncRefreshes.running(annualReportKey(me, year));
  const [report] = await ctx.db.query(EXISTS, [me, year]);
  if (report?.there === true) return { state: 'available' };
  if (refresh) return { state: 'generating', refresh };
  const { annual_reports } = await instanceSettings(ctx.db);
  const offered = annualReportYear(ctx.now, annual_reports) === year && (await postedIn(ctx.db, me, year));
  return { state: offered ? 'eligible' : 'ineligible' };
}

/** https://docs.joinmastodon.org/methods/annual_reports/#get-state */
export const showAnnualReportState = endpoint({
  method: 'GET',
  path: '/api/v1/annual_reports/:year/state',
  summary: 'See whether there is, or can be, a report of a year',
  auth: 'user',
  scopes: ['read:accounts'],
  params: stateParams,
  reply: z.strictObject({ state: z.enum(['available', 'generating', 'eligible', 'ineligible']) }),
  handler: async (ctx, { params: { year } }) => {
    const found = year === null ? NONE : await annualReportState(ctx, year);
    return {
      json: { state: found.state },
      headers: found.state === 'generating' ? asyncRefreshHeader(found.refresh, REPORT_RETRY) : {},
    };
  },
});
