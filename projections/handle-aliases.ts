import { PersonalDataErased } from '#events/erasure.ts';
import { RemoteAccountRemoved, RemoteHandleAliased, RemoteHandleClaimed } from '#events/federation.ts';
import { columns, deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const POINT = statement(
  'handle_aliases_point',
  `insert into handle_aliases (digest, account_id) select * from unnest($1::text[], $2::bigint[])
   on conflict (digest) do update set account_id = excluded.account_id`,
);
const TAKE = statement('handle_aliases_take', 'delete from handle_aliases where digest = any($1::text[])');

/** Handles, by the SHA-256 of their form in lower case, that lead to accounts which go by other ones. */
export const handleAliases: Projection = {
  name: 'handle-aliases',
  version: 1,
  group: MAIN,
  tables: {
    handle_aliases: `
      digest text collate "C" primary key,
      account_id bigint not null`,
  },
  handlerIndexes: ['create index handle_aliases_account on handle_aliases (account_id)'],
  indexes: [],
  handlers: [
    on(RemoteHandleAliased, {
      keys: ({ data }) => [data.digest],
      apply: async (events, db) => {
        await db.query(POINT, columns(events, 'digest', 'account_id'));
      },
    }),
    // An account has the handle as its own now.
    on(RemoteHandleClaimed, {
      keys: ({ data }) => [data.digest],
      apply: async (events, db) => {
        await db.query(TAKE, columns(events, 'digest'));
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('handle_aliases')),
    onAccounts(RemoteAccountRemoved, deleteRowsOf('handle_aliases')),
  ],
};
