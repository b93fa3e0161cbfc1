import { PersonalDataErased } from '#events/erasure.ts';
import { UserRejected } from '#events/moderation.ts';
import { AccountAliasAdded, AccountAliasRemoved } from '#events/moves.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, table, tablesOf, textC } from '#kernel/table/index.ts';

const ALIASES = table('account_aliases', { account_id: bigint, uri: textC }, ['account_id', 'uri']);

/** The aliases of accounts, by URI. */
export const accountAliases: Projection = {
  name: 'account-aliases',
  version: 1,
  group: MAIN,
  tables: tablesOf(ALIASES),
  indexes: [],
  handlers: [
    // In an erased log, all aliases of an account are equal.
    on(AccountAliasAdded, {
      keys: ({ data }) => [data.account_id],
      apply: ALIASES.add().each(({ data }) => data),
    }),
    on(AccountAliasRemoved, {
      keys: ({ data }) => [data.account_id],
      apply: ALIASES.remove().each(({ data }) => data),
    }),
    onAccounts(UserRejected, deleteRowsOf(ALIASES)),
    onAccounts(PersonalDataErased, deleteRowsOf(ALIASES)),
  ],
};
