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

const INSERT = statement(
  'lists_insert',
  `insert into lists (id, account_id, title, replies_policy, exclusive)
   select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bool[])`,
);
const UPDATE = statement(
  'lists_update',
  `update lists l set
     title = coalesce(n.title, l.title),
     replies_policy = coalesce(n.replies_policy, l.replies_policy),
     exclusive = coalesce(n.exclusive, l.exclusive)
   from unnest($1::bigint[], $2::text[], $3::text[], $4::bool[]) as n (id, title, replies_policy, exclusive)
   where l.id = n.id`,
);
const DELETE = statement('lists_delete', 'delete from lists where id = any($1::bigint[])');
const PUT_ACCOUNTS = statement(
  'list_accounts_put',
  `insert into list_accounts (list_id, account_id, owner_id, follow_id)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
   on conflict (list_id, account_id) do update set follow_id = excluded.follow_id`,
);
const DELETE_ACCOUNTS = statement(
  'list_accounts_delete',
  `delete from list_accounts m using unnest($1::bigint[], $2::bigint[]) as n (list_id, account_id)
   where m.list_id = n.list_id and m.account_id = n.account_id`,
);
const DELETE_ACCOUNTS_OF = statement(
  'list_accounts_delete_of',
  'delete from list_accounts where list_id = any($1::bigint[])',
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
  tables: {
    lists: `
      id bigint primary key,
      account_id bigint not null,
      title text not null,
      replies_policy text not null,
      exclusive boolean not null`,
    list_accounts: `
      list_id bigint,
      account_id bigint,
      owner_id bigint not null,
      follow_id bigint not null,
      primary key (list_id, account_id)`,
  },
  handlerIndexes: ['create index lists_of_account on lists (account_id, id desc)'],
  indexes: ['create index list_accounts_of_member on list_accounts (owner_id, account_id)'],
  handlers: [
    on(ListCreated, {
      keys,
      apply: async (events, db) => {
        const created = events.map(({ data }) => data);
        await db.query(INSERT, [
          created.map(({ list_id }) => list_id),
          created.map(({ account_id }) => account_id),
          created.map(({ title }) => title),
          created.map(({ replies_policy }) => replies_policy),
          created.map(({ exclusive }) => exclusive),
        ]);
      },
    }),
    on(ListUpdated, {
      keys,
      apply: async (events, db) => {
        const updated = events.map(({ data }) => data);
        await db.query(UPDATE, [
          updated.map(({ list_id }) => list_id),
          updated.map(({ title }) => title ?? null),
          updated.map(({ replies_policy }) => replies_policy ?? null),
          updated.map(({ exclusive }) => exclusive ?? null),
        ]);
      },
    }),
    on(ListAccountsAdded, {
      keys,
      apply: async (events, db) => {
        const rows = events.flatMap(({ data: { list_id, account_id: owner_id, members } }) =>
          members.map((member) => ({ list_id, owner_id, ...member })),
        );
        await db.query(PUT_ACCOUNTS, [
          rows.map(({ list_id }) => list_id),
          rows.map(({ account_id }) => account_id),
          rows.map(({ owner_id }) => owner_id),
          rows.map(({ follow_id }) => follow_id),
        ]);
      },
    }),
    on(ListAccountsRemoved, {
      keys,
      apply: async (events, db) => {
        const rows = events.flatMap(({ data: { list_id, account_ids } }) =>
          account_ids.map((account_id) => ({ list_id, account_id })),
        );
        await db.query(DELETE_ACCOUNTS, [
          rows.map(({ list_id }) => list_id),
          rows.map(({ account_id }) => account_id),
        ]);
      },
    }),
    on(ListDeleted, {
      keys,
      apply: async (events, db) => {
        const ids = events.map(({ data }) => data.list_id);
        await Promise.all([db.query(DELETE, [ids]), db.query(DELETE_ACCOUNTS_OF, [ids])]);
      },
    }),
    onAccounts(PersonalDataErased, ERASE),
  ],
};
