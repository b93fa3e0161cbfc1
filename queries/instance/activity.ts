import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idAt } from '#kernel/ids.ts';
import { type Db, sourceOf, statement } from '#kernel/read.ts';
import { instanceSettings } from './settings.ts';

const number = z.string().regex(/^[0-9]+$/);
const week = z.strictObject({
  /** The Monday that it begins with, midnight UTC, in seconds since 1970. */
  week: number,
  statuses: number,
  logins: number,
  registrations: number,
});
type Week = z.infer<typeof week>;

const WEEKS = 12;
/** Milliseconds. */
const REMEMBERED = 300_000;

/** Public and unlisted posts, by way of those who were here meanwhile: posts of other servers are never looked at. */
const ACTIVITY = statement<Week>(
  'instance_activity',
  `with weeks as (
     select generate_series(date_trunc('week', $1::date), date_trunc('week', $1::date) - interval '${WEEKS - 1} weeks',
       interval '-1 week')::date as week
   ), posts as (
     select date_trunc('week', s.created_at at time zone 'UTC')::date as week, count(*) as statuses
     from users u
     join statuses s on s.account_id = u.account_id and not s.deleted and s.id >= $2::bigint
       and s.visibility in ('public', 'unlisted')
     where u.last_active_on >= $3::date
     group by 1
   )
   select extract(epoch from weeks.week::timestamp)::bigint as week, coalesce(p.statuses, 0) as statuses,
     coalesce(w.logins, 0)::text as logins, coalesce(w.registrations, 0)::text as registrations
   from weeks left join posts p using (week) left join weekly_activity w using (week)
   order by weeks.week desc`,
);

const remembered = new WeakMap<Db, { until: number; weeks: Promise<Week[]> }>();

/** The current week first. */
function weeksUpTo(now: string, db: Db): Promise<Week[]> {
  const time = Date.parse(now);
  const source = sourceOf(db);
  const known = remembered.get(source);
  if (known && time < known.until) return known.weeks;
  const earliest = time - WEEKS * 7 * 86_400_000;
  const day = new Date(earliest).toISOString().slice(0, 10);
  const weeks = db.query(ACTIVITY, [now.slice(0, 10), idAt(earliest), day]);
  const entry = { until: time + REMEMBERED, weeks };
  remembered.set(source, entry);
  weeks.catch(() => remembered.get(source) === entry && remembered.delete(source));
  return weeks;
}

/** https://docs.joinmastodon.org/methods/instance/#activity. Numbers are texts. 404 where the staff keeps it to itself. */
export const showActivity = endpoint({
  method: 'GET',
  path: '/api/v1/instance/activity',
  summary: 'View how much was going on here in the last 12 weeks',
  auth: 'public',
  scopes: [],
  reply: z.array(week),
  errors: [404],
  handler: async (ctx) => {
    if (!(await instanceSettings(ctx.db)).activity_api_enabled) throw notFound();
    return { json: await weeksUpTo(ctx.now, ctx.db) };
  },
});
