import { PersonalDataErased } from '#events/erasure.ts';
import { RemoteAccountRemoved, RemoteHandleAliased, RemoteHandleClaimed } from '#events/federation.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, table, tablesOf, textC } from '#kernel/table/index.ts';

const ALIASES = table('handle_aliases', { digest: textC, account_id: bigint }, ['digest']);

/** Handles, by the SHA-256 of their form in lower case, that lead to accounts which go by other ones. */
export const handleAliases: Projection = {
  name: 'handle-aliases',
  version: 1,
  group: MAIN,
  tables: tablesOf(ALIASES),
  handlerIndexes: ['create index handle_aliases_account on handle_aliases (account_id)'],
  indexes: [],
  handlers: [
    on(RemoteHandleAliased, {
      keys: ({ data }) => [data.digest],
      apply: ALIASES.put().each(({ data }) => data),
    }),
    // An account has the handle as its own now.
    on(RemoteHandleClaimed, {
      keys: ({ data }) => [data.digest],
      apply: ALIASES.remove().each(({ data }) => data),
    }),
    onAccounts(PersonalDataErased, deleteRowsOf(ALIASES)),
    onAccounts(RemoteAccountRemoved, deleteRowsOf(ALIASES)),
  ],
};
