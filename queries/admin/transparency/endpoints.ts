import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { orAbsent } from '#kernel/input.ts';
import { type Db, momentOf } from '#kernel/read.ts';
import { type TransparencyReport, transparencyReportSchema } from '#mastodon/schemas/index.ts';
import { PERIODS } from '#mastodon/transparency.ts';
import { transparencyCsv } from './csv.ts';
import { rangeOf } from './periods.ts';
import { transparencyReport } from './report.ts';
import { storedFacts } from './stored.ts';

const MONTH = /^[12]\d{3}-(?:0[1-9]|1[0-2])$/;
const month = orAbsent(z.string().max(20).regex(MONTH, 'must be a month such as 2026-11'));

export const transparencyParameters = {
  by: z.enum(PERIODS, 'is not included in the list').default('month').describe('The length of a period.'),
  from: month.describe('A month such as 2026-11; the period of it is the first one.'),
  until: month.describe('A month; the period of it is the last one. The current month unless given.'),
};
type Asked = z.output<z.ZodObject<typeof transparencyParameters>>;

const STAFF = {
  method: 'GET',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_audit_log',
  recorded: true,
} as const;

/** Reads a report from the read models. @throws RookeryError `invalid` for a range of more than ten years */
export async function storedReport(db: Db, { by, ...given }: Asked): Promise<TransparencyReport> {
  const range = rangeOf(by, given, new Date(momentOf(db)).toISOString());
  return transparencyReport(await storedFacts(db, range), by, range);
}

/**
 * Measures, reports and appeals in the categories of the EU's Digital Services Act. Mastodon has no such endpoint, so the path is
 * Rookery's own.
 */
export const showTransparencyReport = endpoint({
  ...STAFF,
  path: '/api/v1/admin/transparency',
  summary: 'View a transparency report by month, quarter or year',
  query: z.object(transparencyParameters),
  reply: transparencyReportSchema,
  handler: async ({ db }, { query }) => ({ json: await storedReport(db, query) }),
});

export const exportTransparencyReport = endpoint({
  ...STAFF,
  path: '/api/v1/admin/transparency/csv',
  summary: 'View a transparency report as a table',
  contentType: 'text/csv; charset=utf-8',
  query: z.object(transparencyParameters),
  reply: z.string(),
  inPieces: true,
  handler: async ({ db }, { query }) => {
    const { by, from, until, ...report } = await storedReport(db, query);
    const name = `transparency-by-${by}-${from}-${until}.csv`;
    return {
      pieces: whole(transparencyCsv({ by, from, until, ...report })),
      headers: { 'Content-Disposition': `attachment; filename="${name}"` },
    };
  },
});

async function* whole(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}
