import { UserActive } from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { columns, deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'active_days_insert',
  `insert into active_days (account_id, day) select * from unnest($1::bigint[], $2::date[]) on conflict do nothing`,
);

/** The days (UTC) on which each user was active. */
export const activeDays: Projection = {
  name: 'active-days',
  version: 1,
  group: MAIN,
  tables: {
    active_days: `
      account_id bigint,
      day date,
      primary key (account_id, day)`,
  },
  indexes: ['create index active_days_day on active_days (day, account_id)'],
  handlers: [
    on(UserActive, {
      keys: ({ data }) => [data.account_id],
      additive: true,
      apply: async (events, db) => {
        await db.query(INSERT, columns(events, 'account_id', 'date'));
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('active_days')),
  ],
};
