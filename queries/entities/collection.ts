import type { Instance } from '#kernel/context.ts';
import type { RowOf } from '#kernel/table/index.ts';
import type { Collection, CollectionItem } from '#mastodon/schemas/index.ts';
import type { COLLECTIONS } from '#projections/collections/index.ts';
import { featuredShownTo, itemShownTo } from '../visibility/accounts.ts';

/** The columns for rendering collections `c`; `$1` is the viewer, or null. */
export const COLLECTION_COLUMNS = `c.id, c.account_id, c.uri, c.url, c.name, c.description, c.language, c.sensitive,
  c.discoverable, c.tag, c.tag_name, c.local, c.created_at, c.updated_at,
  (select count(*)::int from collection_items n where n.collection_id = c.id and ${itemShownTo('$1', 'n')}) as item_count,
  (select coalesce(json_agg(json_build_object('id', i.id::text, 'account_id', i.account_id::text,
       'state', case when i.accepted then 'accepted' else 'pending' end, 'created_at', i.created_at) order by i.id), '[]')
     from collection_items i join accounts ia on ia.id = i.account_id
     where i.collection_id = c.id and ${itemShownTo('$1', 'i')} and ${featuredShownTo('$1', 'ia')}) as items`;

export interface CollectionRow extends Pick<
  RowOf<typeof COLLECTIONS>,
  | 'id'
  | 'account_id'
  | 'uri'
  | 'url'
  | 'name'
  | 'description'
  | 'language'
  | 'sensitive'
  | 'discoverable'
  | 'tag'
  | 'tag_name'
  | 'local'
  | 'created_at'
  | 'updated_at'
> {
  item_count: number;
  /** The items that the viewer may see, in the order in which they were added. */
  items: CollectionItem[];
}

/** https://docs.joinmastodon.org/entities/Collection/ */
export function presentCollection(
  { tag, tag_name, ...row }: CollectionRow,
  { origin }: Instance,
): Collection {
  return {
    ...row,
    tag:
      tag === null
        ? null
        : { name: tag_name ?? tag, url: `${origin}/tags/${encodeURIComponent(tag.toLowerCase())}` },
  };
}
