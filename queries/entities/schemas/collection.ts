import { z } from 'zod';
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
