import { AccountCreated, UserActive, UserRegistered } from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

/** Weeks begin on Monday (UTC). A user counts once a week, by their first event. */
const COUNT_LOGINS = statement(
  'weekly_activity_logins',
  `with first as (
     insert into user_weeks as u (account_id, week)
     select account_id, date_trunc('week', day)::date from unnest($1::bigint[], $2::date[]) as n (account_id, day)
     on conflict (account_id) do update set week = excluded.week where u.week < excluded.week
     returning week
   )
   insert into weekly_activity as w (week, logins) select week, count(*) from first group by week
   on conflict (week) do update set logins = w.logins + excluded.logins`,
);
const COUNT_REGISTRATIONS = statement(
  'weekly_activity_registrations',
  `insert into weekly_activity as w (week, registrations)
   select date_trunc('week', time at time zone 'UTC')::date, count(*) from unnest($1::timestamptz[]) as n (time)
   group by 1
   on conflict (week) do update set registrations = w.registrations + excluded.registrations`,
);
const REMEMBER_DOMAINS = statement(
  'known_domains_insert',
  'insert into known_domains (domain) select distinct * from unnest($1::text[]) on conflict do nothing',
);

/** The activity of each week, and the known servers. Posts are counted when reading. */
export const weeklyActivity: Projection = {
  name: 'weekly-activity',
  version: 2,
  group: MAIN,
  tables: {
    user_weeks: `
      account_id bigint primary key,
      week date not null`,
    weekly_activity: `
      week date primary key,
      logins integer not null default 0,
      registrations integer not null default 0`,
    known_domains: 'domain text collate "C" primary key',
  },
  indexes: [],
  handlers: [
    on(UserActive, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(COUNT_LOGINS, [
          events.map(({ data }) => data.account_id),
          events.map(({ data }) => data.date),
        ]);
      },
    }),
    on(UserRegistered, {
      keys: ({ data }) => [data.account_id],
      additive: true,
      apply: async (events, db) => {
        await db.query(COUNT_REGISTRATIONS, [events.map(({ metadata }) => metadata.time)]);
      },
    }),
    on(AccountCreated, {
      keys: ({ data }) => [data.domain ?? ''],
      additive: true,
      apply: async (events, db) => {
        const domains = events.flatMap(({ data }) => data.domain ?? []);
        if (domains.length > 0) await db.query(REMEMBER_DOMAINS, [domains]);
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('user_weeks')),
  ],
};
