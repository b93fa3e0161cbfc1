import type { AnnualReportData } from '#events/annual-reports.ts';
import { type Id, idAt } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { publicToServers } from '../visibility/federation.ts';

/** Selects the posts of an account ($1) with ids from $2 up to, but not including, $3: ids contain times. */
const OF_YEAR = 's.account_id = $1 and s.id >= $2 and s.id < $3 and not s.deleted';

const KINDS = statement<Kinds>(
  'annual_report_kinds',
  `select count(*) filter (where s.reblog_of_id is not null)::int as reblogs,
     count(*) filter (where s.reblog_of_id is null and ${answersOthers()})::int as replies,
     count(*) filter (where s.reblog_of_id is null and not ${answersOthers()})::int as standalone,
     count(*) filter (where s.poll_id is not null)::int as polls
   from statuses s where ${OF_YEAR}`,
);
const MONTHS = statement<AnnualReportData['time_series'][number]>(
  'annual_report_months',
  `with posted as (
     select ${monthOf('s.id')} as month, count(*)::int as n from statuses s where ${OF_YEAR} group by 1
   ), gained as (
     select ${monthOf('f.id')} as month, count(*)::int as n from follows f
     where f.target_account_id = $1 and f.id >= $2 and f.id < $3 group by 1
   )
   select m.month, coalesce(p.n, 0) as statuses, coalesce(g.n, 0) as followers
   from generate_series(1, 12) as m (month)
   left join posted p on p.month = m.month left join gained g on g.month = m.month order by m.month`,
);
/** Counts public posts only, because users share their report. */
const TAGS = statement<AnnualReportData['top_hashtags'][number]>(
  'annual_report_tags',
  `select coalesce(t.display_name, u.tag) as name, count(*)::int as count
   from tagged_statuses u left join tags t on t.tag = u.tag
   where u.account_id = $1 and u.carried and u.status_id >= $2 and u.status_id < $3
   group by u.tag, t.display_name having count(*) > 1 order by count(*) desc, u.tag limit 1`,
);
const MOST_REBLOGGED = statement<{ id: Id }>(
  'annual_report_most_reblogged',
  `select s.id from statuses s join accounts a on a.id = s.account_id join status_stats st on st.status_id = s.id
   where ${OF_YEAR} and s.reblog_of_id is null and ${publicToServers()} and st.reblogs_count > 0
   order by st.reblogs_count desc, s.id desc limit 1`,
);
const ANYTHING = statement<{ anything: boolean }>(
  'annual_report_anything',
  `select exists (select from statuses s join accounts a on a.id = s.account_id
     where ${OF_YEAR} and s.reblog_of_id is null and ${publicToServers()}) as anything`,
);

interface Kinds {
  reblogs: number;
  /** Replies to other accounts; threads of the account's own posts do not count. */
  replies: number;
  standalone: number;
  polls: number;
}

function answersOthers(): string {
  return '(s.in_reply_to_id is not null and s.in_reply_to_account_id is distinct from s.account_id)';
}

function monthOf(id: string): string {
  return `extract(month from to_timestamp((${id} >> 16) / 1000.0) at time zone 'utc')::int`;
}

/** Returns the first id of a year and the first id of the next year. */
const idsOf = (year: number): [from: Id, below: Id] => [
  idAt(Date.UTC(year, 0, 1)),
  idAt(Date.UTC(year + 1, 0, 1)),
];

/** Counts an account's remaining posts and interactions of a year (UTC), in four statements. */
export async function countYear(db: Db, accountId: Id, year: number): Promise<AnnualReportData> {
  const values = [accountId, ...idsOf(year)];
  const [[kinds], time_series, top_hashtags, [top]] = await Promise.all([
    db.query(KINDS, values),
    db.query(MONTHS, values),
    db.query(TAGS, values),
    db.query(MOST_REBLOGGED, values),
  ]);
  return {
    archetype: archetypeOf(kinds ?? { reblogs: 0, replies: 0, standalone: 0, polls: 0 }),
    time_series,
    top_hashtags,
    // The schema has these fields, and version 2 leaves them empty.
    top_statuses: { by_reblogs: top?.id ?? null, by_replies: null, by_favourites: null },
  };
}

/** Returns true if an account posted publicly in a year. Otherwise there is no report. */
export async function postedIn(db: Db, accountId: Id, year: number): Promise<boolean> {
  const [row] = await db.query(ANYTHING, [accountId, ...idsOf(year)]);
  return row?.anything === true;
}

/** An account with fewer posts in a year counts as a lurker. */
const AVERAGE = 113;

/** Returns Mastodon's archetype of an account, by the same figures. */
export function archetypeOf({ reblogs, replies, standalone, polls }: Kinds): AnnualReportData['archetype'] {
  if (standalone + replies + reblogs < AVERAGE) return 'lurker';
  if (reblogs > standalone * 2) return 'booster';
  if (polls > standalone * 0.1) return 'pollster';
  return replies > standalone * 2 ? 'replier' : 'oracle';
}
