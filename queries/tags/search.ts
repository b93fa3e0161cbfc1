import type { RequestContext } from '#kernel/context.ts';
import type { OffsetPage } from '#kernel/offset-paging.ts';
import { statement } from '#kernel/read.ts';
import { LAST_CHARACTER, normalizeTag } from '#mastodon/normalize-tag.ts';
import { tagColumns, tagJson, type TagRow } from '../entities/tag.ts';
import { tagShownTo } from '../visibility/search.ts';
import { isReviewed } from './review.ts';

/**
 * The inner select orders all names with this prefix; visibility is checked from the top until the page is
 * full.
 */
const SEARCH = statement<TagRow>(
  'tags_search',
  `select ${tagColumns('t.tag', '$1')} from (
     select shown.tag, shown.place from (
       select k.tag, row_number() over (order by k.tag <> $2, length(k.tag), k.tag) as place
       from tags k where k.tag >= $2 and k.tag < $2 || $3 and (k.tag = $2 or not $4::boolean)
       order by k.tag <> $2, length(k.tag), k.tag offset 0
     ) shown
     where ${tagShownTo('$1', 'shown.tag')} and (not $5::boolean or shown.tag = $2 or ${isReviewed('shown.tag')})
     order by shown.place limit $6 offset $7
   ) t order by t.place`,
);

export interface TagSearch extends OffsetPage {
  q: string;
  /** Only the hashtag with exactly this name. */
  exact?: boolean;
  /** Leaves out unreviewed tags, except for the exact name, as in Mastodon. */
  excludeUnreviewed?: boolean;
}

/**
 * Returns hashtags that begin with `q`, as ready JSON without hosts: the exact name first, then the shortest.
 */
export async function searchTags(
  { db, viewer }: Pick<RequestContext, 'db' | 'viewer'>,
  { q, limit, offset, exact = false, excludeUnreviewed = false }: TagSearch,
): Promise<string[]> {
  const normal = normalizeTag(q.trim());
  if (normal === '') return [];
  const values = [
    viewer?.account_id ?? null,
    normal,
    LAST_CHARACTER,
    exact,
    excludeUnreviewed,
    limit,
    offset,
  ];
  const rows = await db.query(SEARCH, values);
  return rows.map((row) => tagJson(row, viewer !== undefined));
}
