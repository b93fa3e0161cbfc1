import { type Statement, statement } from '#kernel/read.ts';
import { dayOf, dayOfId, ofDomain } from './sources.ts';
import type { SubjectKind } from './subject.ts';

export interface Measure {
  subject: SubjectKind;
  /** The reply includes the period before. */
  compared: boolean;
  /** Absent when the total is always zero. */
  count?: Statement<Counted>;
  unit: 'bytes' | null;
}

/** A row of a measure's statement. */
export interface Counted {
  total: string;
  previous_total: string;
  /** The values of each day. */
  values: string[];
}

/**
 * Counts the rows that `found` selects, by `day`; `found` also selects the columns that `aggregate` needs.
 * The values are the first and last day of the period and of the period before, the subject, and the ids from
 * the start of the period before to the end.
 */
const counting = (name: string, found: string, aggregate = 'count(*)'): Statement<Counted> =>
  statement(
    `admin_measure_${name}`,
    `with asked as (
       select $1::date as first, $2::date as last, $3::date as first_before, $4::date as last_before, $5::text as subject,
         $6::bigint as lowest_id, $7::bigint as above_id
     ), found as materialized (${found}
     ), daily as materialized (
       select f.day, ${aggregate} as value from found f group by f.day
     )
     select
       (select ${aggregate} from found f, asked where f.day between asked.first and asked.last)::text as total,
       (select ${aggregate} from found f, asked where f.day between asked.first_before and asked.last_before)::text
         as previous_total,
       array(
         select coalesce(v.value, 0)::text
         from asked, generate_series(asked.first::timestamp, asked.last::timestamp, interval '1 day') as d (day)
         left join daily v on v.day = d.day::date order by d.day
       ) as values`,
  );

/** From the first day of the period before to the last day of the period. */
const IN_DAYS = 'between $3::date and $2::date';
const inIds = (id: string): string => `${id} >= $6::bigint and ${id} < $7::bigint`;
const DISTINCT = 'count(distinct f.what)';

/** Favourites and reblogs of local posts, and replies to them by other accounts. */
const marks = (column: string): string =>
  `select ${dayOfId(`i.${column}`)} as day from interactions i join statuses s on s.id = i.status_id and s.local
   where ${inIds(`i.${column}`)}`;
const INTERACTIONS = `${marks('favourite_id')} union all ${marks('reblog_id')} union all
  select ${dayOfId('r.id')} from statuses r join statuses s on s.id = r.in_reply_to_id and s.local
  where ${inIds('r.id')} and not r.deleted and r.account_id <> s.account_id`;
/** The public uses of a hashtag by account and day. */
const USERS_OF_TAG = `from tag_account_days t join accounts a on a.id = t.account_id
  where t.tag = $5::text and t.day ${IN_DAYS} and t.uses > 0`;
const follows = (followed: string, following: string): string =>
  `select ${dayOfId('f.id')} as day from accounts a join follows f on f.${followed} = a.id
   join accounts l on l.id = f.${following} and l.domain is null
   where ${ofDomain('a', '$5::text')} and ${inIds('f.id')}`;

const here = (count: Statement<Counted>): Measure => ({ subject: 'here', compared: true, unit: null, count });
const ofTag = (count: Statement<Counted>): Measure => ({ subject: 'tag', compared: true, unit: null, count });
const ofServer = (count: Statement<Counted>): Measure => ({
  subject: 'domain',
  compared: false,
  unit: null,
  count,
});

/** https://docs.joinmastodon.org/methods/admin/measures/#get */
const measures = {
  active_users: here(
    counting(
      'active_users',
      `select a.day, a.account_id as what from active_days a where a.day ${IN_DAYS}`,
      DISTINCT,
    ),
  ),
  new_users: here(
    counting(
      'new_users',
      `select ${dayOf('u.created_at')} as day from users u where ${dayOf('u.created_at')} ${IN_DAYS}`,
    ),
  ),
  interactions: here(counting('interactions', INTERACTIONS)),
  opened_reports: here(
    counting(
      'opened_reports',
      `select ${dayOf('r.created_at')} as day from reports r where ${dayOf('r.created_at')} ${IN_DAYS}`,
    ),
  ),
  resolved_reports: here(
    counting(
      'resolved_reports',
      `select ${dayOf('r.action_taken_at')} as day from reports r where ${dayOf('r.action_taken_at')} ${IN_DAYS}`,
    ),
  ),
  tag_accounts: ofTag(
    counting('tag_accounts', `select t.day, t.account_id as what ${USERS_OF_TAG}`, DISTINCT),
  ),
  tag_uses: ofTag(
    counting(
      'tag_uses',
      `select u.day, u.uses as n from tag_usage u where u.tag = $5::text and u.day ${IN_DAYS}`,
      'coalesce(sum(f.n), 0)',
    ),
  ),
  tag_servers: ofTag(
    counting(
      'tag_servers',
      `select t.day, a.domain as what ${USERS_OF_TAG} and a.domain is not null`,
      DISTINCT,
    ),
  ),
  /** By the day on which this server learned of them. */
  instance_accounts: ofServer(
    counting(
      'instance_accounts',
      `select ${dayOfId('a.id')} as day from accounts a where ${ofDomain('a', '$5::text')} and ${inIds('a.id')}`,
    ),
  ),
  /** Media of other servers use no space here. */
  instance_media_attachments: { subject: 'domain', compared: false, unit: 'bytes' },
  instance_reports: ofServer(
    counting(
      'instance_reports',
      `select ${dayOf('r.created_at')} as day from accounts a join reports r on r.target_account_id = a.id
       where ${ofDomain('a', '$5::text')} and ${dayOf('r.created_at')} ${IN_DAYS}`,
    ),
  ),
  instance_statuses: ofServer(
    counting(
      'instance_statuses',
      `select ${dayOfId('s.id')} as day from accounts a join statuses s on s.account_id = a.id and not s.deleted
       where ${ofDomain('a', '$5::text')} and ${inIds('s.id')}`,
    ),
  ),
  instance_follows: ofServer(counting('instance_follows', follows('target_account_id', 'account_id'))),
  instance_followers: ofServer(counting('instance_followers', follows('account_id', 'target_account_id'))),
} satisfies Readonly<Record<string, Measure>>;

export const MEASURES: Readonly<Record<string, Measure>> = measures;
export const MEASURE_KEYS = Object.keys(measures) as (keyof typeof measures)[];

const HERE = Object.entries(MEASURES).flatMap(([key, { subject, count }]) =>
  subject === 'here' && count ? [[key, count] as const] : [],
);

/** The measures of this server in one statement; the last value has the names of those that are wanted. */
export const MEASURES_HERE: Statement<Counted & { key: string }> = statement(
  'admin_measures_here',
  HERE.map(
    ([key, { text }]) => `select '${key}' as key, m.* from (${text}) m where '${key}' = any($8::text[])`,
  ).join(' union all '),
);
