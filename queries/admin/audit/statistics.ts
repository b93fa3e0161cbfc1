import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid } from '#kernel/errors.ts';
import { idAt } from '#kernel/ids.ts';
import { orAbsent } from '#kernel/input.ts';
import { type Db, momentOf, statement } from '#kernel/read.ts';
import { type AuditMonth, auditMonthSchema } from '#mastodon/schemas/index.ts';
import { parseGiven } from './filter.ts';
import { STAFF } from './list.ts';

const MONTH = /^[12]\d{3}-(?:0[1-9]|1[0-2])$/;
const MOST_MONTHS = 120;
const USUAL_MONTHS = 12;
/**
 * Milliseconds by which an id may be older than its report: a repeated command has the time of its first try.
 */
const SKEW = 25 * 3_600_000;

const month = orAbsent(z.string().max(20).regex(MONTH, 'must be a month such as 2026-11'));
const parameters = z.object({
  from: month.describe(`The first month, such as 2026-11; ${USUAL_MONTHS} months in all by default.`),
  until: month.describe(
    `The last month, included; the current one by default, and at most ${MOST_MONTHS} in all.`,
  ),
});

/** Months, both inclusive: `2026-11`. */
export type Months = z.output<typeof parameters>;

/** Parses the same parameters from the command line. @throws RookeryError `invalid` */
export const parseMonths = (given: Record<string, string | undefined>): Months =>
  parseGiven(parameters, given);

const ENTRIES = statement<{ month: string } & AuditMonth['entries'][number]>(
  'audit_months',
  `select month, action, actor_kind, entries::integer as count from audit_months
   where month >= $1 and month <= $2 order by month desc, action, actor_kind`,
);
const REPORTS = statement<{ month: string } & AuditMonth['reports'][number]>(
  'audit_months_reports',
  `select to_char(r.created_at at time zone 'UTC', 'YYYY-MM') as month, r.category, count(*)::integer as count
   from reports r where r.id >= $1 and r.id < $2 and r.created_at >= $3 and r.created_at < $4
   group by 1, 2 order by 1 desc, 2`,
);

/**
 * The numbers of actions, for transparency reports and reviews. Mastodon has no such endpoint, so the path is
 * Rookery's own.
 */
export const showAuditStatistics = endpoint({
  ...STAFF,
  path: '/api/v1/admin/audit/statistics',
  summary: 'Count by month what staff, the operator and automations did',
  query: parameters,
  reply: z.array(auditMonthSchema),
  handler: async (ctx, { query }) => {
    return { json: await auditStatistics(ctx.db, query) };
  },
});

/**
 * Returns the months of a range with actions or reports, newest first; the default is the last year. @throws
 * RookeryError `invalid` for more than ten years
 */
export async function auditStatistics(db: Db, given: Months): Promise<AuditMonth[]> {
  const { from, until } = monthsOf(db, given);
  const start = Date.parse(`${from}-01T00:00:00Z`);
  const end = Date.parse(`${monthsAfter(until, 1)}-01T00:00:00Z`);
  const within = [
    idAt(start - SKEW),
    idAt(end + SKEW),
    new Date(start).toISOString(),
    new Date(end).toISOString(),
  ];
  const [entries, reports] = await Promise.all([db.query(ENTRIES, [from, until]), db.query(REPORTS, within)]);
  const names = new Set([...entries, ...reports].map(({ month: name }) => name));
  return [...names]
    .toSorted()
    .toReversed()
    .map((name) => ({ month: name, entries: ofMonth(entries, name), reports: ofMonth(reports, name) }));
}

const ofMonth = <Row extends { month: string }>(rows: readonly Row[], name: string): Omit<Row, 'month'>[] =>
  rows.filter((row) => row.month === name).map(({ month: _, ...row }) => row);

function monthsOf(db: Db, given: Months): { from: string; until: string } {
  const { until = monthOf(momentOf(db)) } = given;
  const { from = monthsAfter(until, 1 - USUAL_MONTHS) } = given;
  if (given.until !== undefined && until < from) throw invalid('until is before from');
  if (until >= monthsAfter(from, MOST_MONTHS)) throw invalid('from and until are more than ten years apart');
  return { from, until };
}

function monthsAfter(name: string, months: number): string {
  const [year = 0, number = 1] = name.split('-').map(Number);
  return monthOf(Date.UTC(year, number - 1 + months));
}

const monthOf = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, '2026-11'.length);
