import { z } from 'zod';
import { accountSchema } from './account.ts';
import { count, dateTime, id, url } from './shared.ts';

/** https://docs.joinmastodon.org/entities/CollectionItem/ */
export const collectionItemSchema = z
  .strictObject({
    id,
    account_id: id.nullable().optional(),
    state: z.enum(['pending', 'accepted', 'rejected', 'revoked']),
    created_at: dateTime,
  })
  .meta({ id: 'CollectionItem' });
export type CollectionItem = z.infer<typeof collectionItemSchema>;

/** https://docs.joinmastodon.org/entities/ShallowTag/ */
export const shallowTagSchema = z.strictObject({ name: z.string(), url }).meta({ id: 'ShallowTag' });
export type ShallowTag = z.infer<typeof shallowTagSchema>;

/** https://docs.joinmastodon.org/entities/Collection/ (Mastodon 4.6) */
export const collectionSchema = z
  .strictObject({
    id,
    account_id: id,
    uri: url,
    url: url.nullable(),
    name: z.string(),
    description: z.string(),
    language: z.string().nullable(),
    local: z.boolean(),
    sensitive: z.boolean(),
    discoverable: z.boolean(),
    tag: shallowTagSchema.nullable(),
    item_count: count,
    items: z.array(collectionItemSchema),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Collection' });
export type Collection = z.infer<typeof collectionSchema>;

/** https://docs.joinmastodon.org/entities/CollectionWithAccounts/ */
export const collectionWithAccountsSchema = z
  .strictObject({ accounts: z.array(accountSchema), collection: collectionSchema })
  .meta({ id: 'CollectionWithAccounts' });

/**
 * Wrapped, so that further members can be added:
 * https://docs.joinmastodon.org/entities/Collection/#WrappedCollection
 */
export const wrappedCollectionSchema = z.strictObject({ collection: collectionSchema });
export const wrappedCollectionItemSchema = z.strictObject({ collection_item: collectionItemSchema });
export const collectionsSchema = z.strictObject({ collections: z.array(collectionSchema) });
