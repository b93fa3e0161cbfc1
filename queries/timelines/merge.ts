import type { Order } from './windows.ts';

/** Between which ids, both exclusive; SQL expressions. */
export interface Bounds {
  before: string;
  after: string;
}
export const PAGE_BOUNDS: Bounds = { before: '$2::bigint', after: '$3::bigint' };

/**
 * The next $5 posts of several authors as SQL. `authors` selects their `id`s; `when` can spare the work. The next $5 posts are by
 * the $5 authors who come first, so nobody else's are looked at: `home_authors` knows who wrote last, and one look at an
 * index who wrote last before the page.
 */
export const postsOf = (
  authors: string,
  order: Order,
  { before, after }: Bounds = PAGE_BOUNDS,
  when = 'true',
): string => {
  const between = `p.status_id < ${before} and p.status_id > ${after}`;
  const first = `(select p.status_id from home_posts p where p.account_id = a.account_id and ${between}
        order by p.status_id ${order} limit 1)`;
  return `
    select p.status_id from (
      select a.account_id, ${order === 'asc' ? first : `case when a.newest_id < ${before} then a.newest_id else ${first} end`} as first
      from (${authors}) author join home_authors a on a.account_id = author.id
      where a.newest_id > ${after} and ${when}
      order by first ${order} nulls last limit $5
    ) writer
    cross join lateral (
      select p.status_id from home_posts p where p.account_id = writer.account_id and ${between}
      order by p.status_id ${order} limit $5
    ) p
    where writer.first is not null order by p.status_id ${order} limit $5`;
};
