import { CollectionCreated, CollectionDeleted, CollectionUpdated } from '#events/collections.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { bigint, boolean, table, tablesOf, text, timestamptz, together } from '#kernel/table/index.ts';
import { itemHandlers, ITEMS } from './items.ts';

export const COLLECTIONS = table(
  'collections',
  {
    id: bigint,
    account_id: bigint,
    uri: text,
    url: text,
    name: text,
    description: text,
    language: text.orNull,
    sensitive: boolean,
    discoverable: boolean,
    tag: text.orNull,
    tag_name: text.orNull,
    local: boolean,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  ['id'],
);
const UPDATE = COLLECTIONS.patch(
  'name',
  'description',
  'language',
  'sensitive',
  'discoverable',
  'tag',
  'tag_name',
  'updated_at',
);
/** Removes the collections of erased users with their items. */
const ERASE = statement(
  'collections_erase',
  `with gone as (delete from collections where account_id = any($1::bigint[]) returning id)
   delete from collection_items i using gone where i.collection_id = gone.id`,
);

interface Tag {
  name: string;
  normal: string;
}

/** Returns the columns of a hashtag; undefined for one that stays. */
const tagOf = (tag: Tag | null | undefined) => ({
  tag: tag === undefined ? undefined : (tag?.normal ?? null),
  tag_name: tag === undefined ? undefined : (tag?.name ?? null),
});

/** Collections of accounts, and their items. */
export const collections: Projection = {
  name: 'collections',
  version: 3,
  group: MAIN,
  tables: tablesOf(COLLECTIONS, ITEMS),
  handlerIndexes: ['create index collections_account on collections (account_id, id desc)'],
  indexes: [
    'create index collection_items_account on collection_items (account_id, collection_id desc)',
    'create index collection_items_authorization on collection_items (authorization_uri) where authorization_uri is not null',
    'create index collections_uri on collections (uri)',
  ],
  handlers: [
    on(CollectionCreated, {
      keys: ({ data }) => [data.id],
      apply: COLLECTIONS.insert().each(({ data }) => ({
        ...data,
        ...tagOf(data.tag),
        local: data.local ?? true,
        updated_at: data.created_at,
      })),
    }),
    on(CollectionUpdated, {
      keys: ({ data }) => [data.id],
      apply: UPDATE.each(({ data }) => ({ ...data, ...tagOf(data.tag) })),
    }),
    // Its key differs from those of its items, so it is a barrier.
    on(CollectionDeleted, {
      apply: together(
        COLLECTIONS.remove().each(({ data }) => data),
        ITEMS.remove('collection_id').each(({ data }) => ({ collection_id: data.id })),
      ),
    }),
    ...itemHandlers,
    onAccounts(PersonalDataErased, ERASE),
  ],
};
