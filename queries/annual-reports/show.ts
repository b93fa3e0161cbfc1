import type { AnnualReportData } from '#events/annual-reports.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { json, jsonArray, type JsonPieces } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import { type AnnualReport, wrappedAnnualReportsSchema } from '#mastodon/schemas/index.ts';
import { accountText } from '../accounts/index.ts';
import { findPresent } from '../statuses/index.ts';
import { yearParams } from './state.ts';

/** Selects the report of one year, or of all years. */
const REPORTS = statement<{ year: number; data: string }>(
  'annual_reports',
  `select year, data from annual_reports where account_id = $1 and ($2::int is null or year = $2)
   order by year limit 100`,
);

const SCHEMA_VERSION = 2;

/** https://docs.joinmastodon.org/methods/annual_reports/#index. Includes reports that were read. */
export const listAnnualReports = endpoint({
  method: 'GET',
  path: '/api/v1/annual_reports',
  summary: 'View all reports of your years',
  auth: 'user',
  scopes: ['read:accounts'],
  reply: wrappedAnnualReportsSchema,
  handler: async (ctx) => ({ text: await wrapped(ctx, await reportsOf(ctx, null)) }),
});

/** https://docs.joinmastodon.org/methods/annual_reports/#get */
export const showAnnualReport = endpoint({
  method: 'GET',
  path: '/api/v1/annual_reports/:year',
  summary: 'View the report of a year',
  auth: 'user',
  scopes: ['read:accounts'],
  params: yearParams,
  reply: wrappedAnnualReportsSchema,
  handler: async (ctx, { params: { year } }) => {
    const reports = await reportsOf(ctx, year);
    if (reports.length === 0) throw notFound();
    return { text: await wrapped(ctx, reports) };
  },
});

async function reportsOf(ctx: UserContext, year: number | null): Promise<AnnualReport[]> {
  const account_id = ctx.viewer.account_id;
  const rows = await ctx.db.query(REPORTS, [account_id, year]);
  return rows.map((row) => ({
    year: row.year,
    data: JSON.parse(row.data) as AnnualReportData,
    schema_version: SCHEMA_VERSION,
    share_url: null,
    account_id,
  }));
}

/** Adds the account and the remaining statuses that the reports name. */
async function wrapped(ctx: UserContext, reports: readonly AnnualReport[]): Promise<JsonPieces> {
  const ids = reports.flatMap(({ data }) => data.top_statuses.by_reblogs ?? []);
  const [account, statuses] = await Promise.all([
    reports.length === 0 ? '' : accountText(ctx.db, ctx.instance, ctx.viewer.account_id),
    findPresent(ctx, ids),
  ]);
  return json`{"annual_reports":${JSON.stringify(reports)},"accounts":[${account}],"statuses":${jsonArray(statuses)}}`;
}
