import { CollectionCreated, CollectionDeleted, CollectionUpdated } from '#events/collections.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { itemHandlers } from './items.ts';

const INSERT = statement(
  'collections_insert',
  `insert into collections (id, account_id, uri, url, name, description, language, sensitive, discoverable, tag, tag_name,
     local, created_at, updated_at)
   select *, created_at from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
     $8::bool[], $9::bool[], $10::text[], $11::text[], $12::bool[], $13::timestamptz[])
     as n (id, account_id, uri, url, name, description, language, sensitive, discoverable, tag, tag_name, local, created_at)`,
);
/** Language and tag may become null, so a separate value tells whether they change. */
const UPDATE = statement(
  'collections_update',
  `update collections c set
     name = coalesce(n.name, c.name),
     description = coalesce(n.description, c.description),
     language = case when n.sets_language then n.language else c.language end,
     sensitive = coalesce(n.sensitive, c.sensitive),
     discoverable = coalesce(n.discoverable, c.discoverable),
     tag = case when n.sets_tag then n.tag else c.tag end,
     tag_name = case when n.sets_tag then n.tag_name else c.tag_name end,
     updated_at = n.updated_at
   from unnest($1::bigint[], $2::text[], $3::text[], $4::bool[], $5::text[], $6::bool[], $7::bool[], $8::bool[],
     $9::text[], $10::text[], $11::timestamptz[])
     as n (id, name, description, sets_language, language, sensitive, discoverable, sets_tag, tag, tag_name, updated_at)
   where c.id = n.id`,
);
const DELETE = statement('collections_delete', 'delete from collections where id = any($1)');
const DELETE_ITEMS = statement(
  'collection_items_delete_all',
  'delete from collection_items where collection_id = any($1)',
);
/** Removes the collections of erased users with their items. */
const ERASE = statement(
  'collections_erase',
  `with gone as (delete from collections where account_id = any($1::bigint[]) returning id)
   delete from collection_items i using gone where i.collection_id = gone.id`,
);
/** Collections of accounts, and their items. */
export const collections: Projection = {
  name: 'collections',
  version: 3,
  group: MAIN,
  tables: {
    collections: `
      id bigint primary key,
      account_id bigint not null,
      uri text not null,
      url text not null,
      name text not null,
      description text not null,
      language text,
      sensitive boolean not null,
      discoverable boolean not null,
      tag text,
      tag_name text,
      local boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null`,
    collection_items: `
      id bigint not null,
      collection_id bigint,
      account_id bigint,
      created_at text not null,
      accepted boolean not null,
      uri text,
      authorization_uri text,
      primary key (collection_id, account_id)`,
  },
  handlerIndexes: ['create index collections_account on collections (account_id, id desc)'],
  indexes: [
    'create index collection_items_account on collection_items (account_id, collection_id desc)',
    'create index collection_items_authorization on collection_items (authorization_uri) where authorization_uri is not null',
    'create index collections_uri on collections (uri)',
  ],
  handlers: [
    on(CollectionCreated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const created = events.map(({ data }) => data);
        await db.query(INSERT, [
          created.map(({ id }) => id),
          created.map(({ account_id }) => account_id),
          created.map(({ uri }) => uri),
          created.map(({ url }) => url),
          created.map(({ name }) => name),
          created.map(({ description }) => description),
          created.map(({ language }) => language),
          created.map(({ sensitive }) => sensitive),
          created.map(({ discoverable }) => discoverable),
          created.map(({ tag }) => tag?.normal ?? null),
          created.map(({ tag }) => tag?.name ?? null),
          created.map(({ local = true }) => local),
          created.map(({ created_at }) => created_at),
        ]);
      },
    }),
    on(CollectionUpdated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const updated = events.map(({ data }) => data);
        await db.query(UPDATE, [
          updated.map(({ id }) => id),
          updated.map(({ name }) => name ?? null),
          updated.map(({ description }) => description ?? null),
          updated.map(({ language }) => language !== undefined),
          updated.map(({ language }) => language ?? null),
          updated.map(({ sensitive }) => sensitive ?? null),
          updated.map(({ discoverable }) => discoverable ?? null),
          updated.map(({ tag }) => tag !== undefined),
          updated.map(({ tag }) => tag?.normal ?? null),
          updated.map(({ tag }) => tag?.name ?? null),
          updated.map(({ updated_at }) => updated_at),
        ]);
      },
    }),
    // Its key differs from those of its items, so it is a barrier.
    on(CollectionDeleted, {
      apply: async (events, db) => {
        const ids = events.map(({ data }) => data.id);
        await db.query(DELETE, [ids]);
        await db.query(DELETE_ITEMS, [ids]);
      },
    }),
    ...itemHandlers,
    onAccounts(PersonalDataErased, ERASE),
  ],
};
