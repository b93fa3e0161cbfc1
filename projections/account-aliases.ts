import { PersonalDataErased } from '#events/erasure.ts';
import { UserRejected } from '#events/moderation.ts';
import { AccountAliasAdded, AccountAliasRemoved } from '#events/moves.ts';
import { columns, deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

/** In an erased log, all aliases of an account are equal. */
const ADD = statement(
  'account_aliases_insert',
  `insert into account_aliases (account_id, uri) select * from unnest($1::bigint[], $2::text[])
   on conflict do nothing`,
);
const REMOVE = statement(
  'account_aliases_delete',
  `delete from account_aliases a using unnest($1::bigint[], $2::text[]) as n (account_id, uri)
   where a.account_id = n.account_id and a.uri = n.uri`,
);

/** The aliases of accounts, by URI. */
export const accountAliases: Projection = {
  name: 'account-aliases',
  version: 1,
  group: MAIN,
  tables: {
    account_aliases: `
      account_id bigint,
      uri text collate "C",
      primary key (account_id, uri)`,
  },
  indexes: [],
  handlers: [
    on(AccountAliasAdded, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(ADD, columns(events, 'account_id', 'uri'));
      },
    }),
    on(AccountAliasRemoved, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(REMOVE, columns(events, 'account_id', 'uri'));
      },
    }),
    onAccounts(UserRejected, deleteRowsOf('account_aliases')),
    onAccounts(PersonalDataErased, deleteRowsOf('account_aliases')),
  ],
};
