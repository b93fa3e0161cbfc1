import { follows } from './rules.ts';
import type { Order } from './windows.ts';

/** The ids between which posts are selected, both exclusive; SQL expressions. */
export interface Bounds {
  before: string;
  after: string;
}
const PAGE_BOUNDS: Bounds = { before: '$2::bigint', after: '$3::bigint' };

/**
 * SQL for the next $5 posts of several authors. `authors` selects their `id`s; `when` can skip the work. The
 * next $5 posts are by the $5 most recent authors, so no others are read: `home_authors` has the latest post
 * of each, and one index lookup finds their order.
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

/** A page of one viewer: SQL expressions, and the number of posts that suffices from each source. */
export interface ReaderPage extends Bounds {
  reader: string;
  order: Order;
  limit: string;
}

/** The next posts, by followed authors, that were not fanned out because they have too many recipients. */
export const notFannedOutPosts = ({ reader, before, after, order, limit }: ReaderPage): string => `
  select p.status_id
  from (
    select a.account_id from home_authors a
    where a.wide_id is not null and a.wide_id > ${after}
      and ${follows(reader, 'a.account_id')}
  ) a
  cross join lateral (
    select p.status_id from home_posts p
    where p.account_id = a.account_id and p.wide and p.status_id < ${before} and p.status_id > ${after}
    order by p.status_id ${order} limit ${limit}
  ) p`;

/** The next posts with hashtags that the viewer follows. */
export const taggedPosts = ({ reader, before, after, order, limit }: ReaderPage): string => `
  select t.status_id from tag_follows tf
  cross join lateral (
    select t.status_id from status_tags t
    where t.tag = tf.tag and t.status_id < ${before} and t.status_id > ${after}
    order by t.status_id ${order} limit ${limit}
  ) t
  where tf.account_id = ${reader}`;
