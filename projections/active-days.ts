import { UserActive } from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, date, table, tablesOf } from '#kernel/table/index.ts';

const DAYS = table('active_days', { account_id: bigint, day: date }, ['account_id', 'day']);

/** The days (UTC) on which each user was active. */
export const activeDays: Projection = {
  name: 'active-days',
  version: 1,
  group: MAIN,
  tables: tablesOf(DAYS),
  indexes: ['create index active_days_day on active_days (day, account_id)'],
  handlers: [
    on(UserActive, {
      keys: ({ data }) => [data.account_id],
      additive: true,
      apply: DAYS.add().each(({ data: { account_id, date: day } }) => ({ account_id, day })),
    }),
    onAccounts(PersonalDataErased, deleteRowsOf(DAYS)),
  ],
};
