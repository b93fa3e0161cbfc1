import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { wordText } from '#kernel/input.ts';
import { statement } from '#kernel/read.ts';
import {
  type AdminCohort,
  adminCohortSchema,
  type CohortFrequency,
  cohortFrequencySchema,
} from '#mastodon/schemas/index.ts';
import { dayOrNothing, midnight, periodOf, required } from './measures/index.ts';

/** The table grows with the square of the number of periods. */
const MOST_DAYS = { day: 92, month: 3 * 366 };

/**
 * Selects, for each period with sign-ups and each period from then on, how many of these users were active.
 */
const RETENTION = statement<Row>(
  'admin_retention',
  `with axis as materialized (
     select d::date as period from generate_series(
       date_trunc($3::text, $1::date::timestamp), date_trunc($3, $2::date::timestamp), ('1 ' || $3)::interval) as d
   ), cohort as materialized (
     select u.account_id, date_trunc($3, u.created_at at time zone 'UTC')::date as period from users u
     where date_trunc($3, u.created_at at time zone 'UTC')
       between date_trunc($3, $1::date::timestamp) and date_trunc($3, $2::date::timestamp)
   ), sizes as materialized (
     select period, count(*) as n from cohort group by period
   ), seen as materialized (
     select c.period, date_trunc($3, a.day::timestamp)::date as bucket, count(distinct c.account_id) as n
     from cohort c join active_days a on a.account_id = c.account_id and a.day >= c.period
     group by 1, 2
   )
   select p.period::text as period, b.period::text as bucket, coalesce(s.n, 0)::text as value,
     coalesce(s.n::float8 / z.n, 0) as rate
   from axis p join axis b on b.period >= p.period
   left join seen s on s.period = p.period and s.bucket = b.period
   left join sizes z on z.period = p.period
   order by p.period, b.period`,
);

interface Row {
  period: string;
  bucket: string;
  value: string;
  rate: number;
}

/** Any frequency but `month` means by day. https://docs.joinmastodon.org/methods/admin/retention/#create */
export const retrieveRetention = endpoint({
  method: 'POST',
  path: '/api/v1/admin/retention',
  summary: 'Obtain how many of those who signed up came back',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_dashboard',
  onlyReads: true,
  body: z.object({
    start_at: dayOrNothing.optional().describe('The first day (UTC) of sign-ups, such as 2026-11-22.'),
    end_at: dayOrNothing
      .optional()
      .describe(
        `The last day (UTC), included, at most ${MOST_DAYS.day} days in all, or ${MOST_DAYS.month} by month.`,
      ),
    frequency: wordText(cohortFrequencySchema.options, 100)
      .nullish()
      .describe('The length of a period: `day` (the default) or `month`.'),
  }),
  requires: ['start_at', 'end_at'],
  reply: z.array(adminCohortSchema),
  handler: async (ctx, { body }) => {
    const start = required('start_at', body.start_at);
    const end = required('end_at', body.end_at);
    const frequency = body.frequency === 'month' ? 'month' : 'day';
    const { first, last } = periodOf(start, end, MOST_DAYS[frequency]);
    const rows = await ctx.db.query(RETENTION, [first, last, frequency]);
    return { json: cohortsOf(rows, frequency) };
  },
});

function cohortsOf(rows: readonly Row[], frequency: CohortFrequency): AdminCohort[] {
  const cohorts = Map.groupBy(rows, ({ period }) => period);
  return [...cohorts].map(([period, buckets]) => ({
    period: midnight(period),
    frequency,
    data: buckets.map(({ bucket, rate, value }) => ({ date: midnight(bucket), rate, value })),
  }));
}

export const adminRetentionQueries = [retrieveRetention];
