import { PersonalDataErased } from '#events/erasure.ts';
import {
  ListAccountsAdded,
  ListAccountsRemoved,
  ListCreated,
  ListDeleted,
  ListUpdated,
} from '#events/lists.ts';
import { MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { bigint, boolean, table, tablesOf, text, together } from '#kernel/table/index.ts';

const LISTS = table(
  'lists',
  { id: bigint, account_id: bigint, title: text, replies_policy: text, exclusive: boolean },
  ['id'],
);
const MEMBERS = table(
  'list_accounts',
  { list_id: bigint, account_id: bigint, owner_id: bigint, follow_id: bigint },
  ['list_id', 'account_id'],
);
/** Removes the lists of erased users with their members. */
const ERASE = statement(
  'lists_erase',
  `with gone as (delete from lists where account_id = any($1::bigint[]) returning id)
   delete from list_accounts m using gone where m.list_id = gone.id`,
);

/** Events of different lists are independent. */
const keys = ({ data }: { data: { list_id: string } }): string[] => [data.list_id];

/**
 * Lists and added accounts. A row of `list_accounts` is a member as long as the owner's follow has the same
 * id: `queries/lists` has the join.
 */
export const lists: Projection = {
  name: 'lists',
  version: 2,
  group: MAIN,
  tables: tablesOf(LISTS, MEMBERS),
  handlerIndexes: ['create index lists_of_account on lists (account_id, id desc)'],
  indexes: ['create index list_accounts_of_member on list_accounts (owner_id, account_id)'],
  handlers: [
    on(ListCreated, { keys, apply: LISTS.insert().each(({ data }) => ({ ...data, id: data.list_id })) }),
    on(ListUpdated, {
      keys,
      apply: LISTS.patch('title', 'replies_policy', 'exclusive').each(({ data }) => ({
        ...data,
        id: data.list_id,
      })),
    }),
    on(ListAccountsAdded, {
      keys,
      apply: MEMBERS.put().each(({ data: { list_id, account_id: owner_id, members } }) =>
        members.map((member) => ({ list_id, owner_id, ...member })),
      ),
    }),
    on(ListAccountsRemoved, {
      keys,
      apply: MEMBERS.remove().each(({ data: { list_id, account_ids } }) =>
        account_ids.map((account_id) => ({ list_id, account_id })),
      ),
    }),
    on(ListDeleted, {
      keys,
      apply: together(
        LISTS.remove().each(({ data }) => ({ id: data.list_id })),
        MEMBERS.remove('list_id').each(({ data }) => data),
      ),
    }),
    onAccounts(PersonalDataErased, ERASE),
  ],
};
