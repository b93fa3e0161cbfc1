import { AccountCreated, UserActive, UserRegistered } from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { batch, bigint, date, integer, table, tablesOf, textC, timestamptz } from '#kernel/table/index.ts';

const USERS = table('user_weeks', { account_id: bigint, week: date }, ['account_id']);
const WEEKS = table(
  'weekly_activity',
  { week: date, logins: integer.defaultsTo('0'), registrations: integer.defaultsTo('0') },
  ['week'],
);
const DOMAINS = table('known_domains', { domain: textC }, ['domain']);

/** Weeks begin on Monday (UTC). A user counts once a week, by their first event. */
const COUNT_LOGINS = batch(
  'weekly_activity_logins',
  { account_id: bigint, date },
  (rows) => `with first as (
     insert into user_weeks as u (account_id, week)
     select account_id, date_trunc('week', date)::date from ${rows}
     on conflict (account_id) do update set week = excluded.week where u.week < excluded.week
     returning week
   )
   insert into weekly_activity as w (week, logins) select week, count(*) from first group by week
   on conflict (week) do update set logins = w.logins + excluded.logins`,
);
const COUNT_REGISTRATIONS = batch(
  'weekly_activity_registrations',
  { time: timestamptz },
  (rows) => `insert into weekly_activity as w (week, registrations)
   select date_trunc('week', time at time zone 'UTC')::date, count(*) from ${rows} group by 1
   on conflict (week) do update set registrations = w.registrations + excluded.registrations`,
);

/** The activity of each week, and the known servers. Posts are counted when reading. */
export const weeklyActivity: Projection = {
  name: 'weekly-activity',
  version: 2,
  group: MAIN,
  tables: tablesOf(USERS, WEEKS, DOMAINS),
  indexes: [],
  handlers: [
    on(UserActive, { keys: ({ data }) => [data.account_id], apply: COUNT_LOGINS.each(({ data }) => data) }),
    on(UserRegistered, {
      keys: ({ data }) => [data.account_id],
      additive: true,
      apply: COUNT_REGISTRATIONS.each(({ metadata: { time } }) => ({ time })),
    }),
    on(AccountCreated, {
      keys: ({ data }) => [data.domain ?? ''],
      additive: true,
      apply: DOMAINS.add().each(({ data: { domain } }) => (domain === null ? [] : [{ domain }])),
    }),
    onAccounts(PersonalDataErased, deleteRowsOf(USERS)),
  ],
};
