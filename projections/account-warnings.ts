import { PersonalDataErased } from '../src/events/erasure.ts';
import { AccountWarned } from '../src/events/moderation.ts';
import { columns, MAIN, on, onAccounts, type Projection } from '../src/kernel/projection.ts';
import { statement } from '../src/kernel/read.ts';

const INSERT = statement(
  'account_warnings_insert',
  `insert into account_warnings (id, account_id, action, text, status_ids, created_at)
   select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])`,
);
const ERASE = statement(
  'account_warnings_erase',
  `update account_warnings set text = '' where account_id = any($1::bigint[]) and text <> ''`,
);

/** Strikes: what the staff did to accounts, and what they told them. */
export const accountWarnings: Projection = {
  name: 'account-warnings',
  version: 2,
  group: MAIN,
  tables: {
    /** `status_ids` is a JSON text. */
    account_warnings: `
      id bigint primary key,
      account_id bigint not null,
      action text not null,
      text text not null,
      status_ids text not null,
      created_at timestamptz not null`,
  },
  indexes: [],
  handlers: [
    on(AccountWarned, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        await db.query(INSERT, [
          ...columns(events, 'id', 'account_id', 'action', 'text'),
          events.map(({ data }) => JSON.stringify(data.status_ids)),
          events.map(({ metadata }) => metadata.time),
        ]);
      },
    }),
    onAccounts(PersonalDataErased, ERASE),
  ],
};
