import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import { type FeaturedTag, featuredTagSchema } from '#mastodon/schemas/index.ts';
import type { TAGS } from '#projections/featured-tags.ts';
import { requireAccount } from '../accounts/index.ts';

const LIST = statement<Row>(
  'featured_tags_list',
  `select f.id, f.tag, f.name, a.url as account_url, coalesce(c.statuses_count, 0) as statuses_count,
     (select s.day::text from tagged_statuses s where s.account_id = f.account_id and s.tag = f.tag and s.carried
      order by s.status_id desc limit 1) as last_status_at
   from featured_tags f join accounts a on a.id = f.account_id
   left join account_tags c on c.account_id = f.account_id and c.tag = f.tag
   where f.account_id = $1 and not a.suspended
   order by coalesce(c.statuses_count, 0) desc, f.id`,
);

interface Row extends Pick<RowOf<typeof TAGS>, 'id' | 'tag' | 'name'> {
  account_url: string;
  statuses_count: number;
  last_status_at: string | null;
}

/** Returns the hashtags on an account's profile, most used first; none for a suspended account. */
export async function featuredTagsOf(db: Db, accountId: string): Promise<FeaturedTag[]> {
  return (await db.query(LIST, [accountId])).map(featuredTag);
}

/** https://docs.joinmastodon.org/entities/FeaturedTag/ */
const featuredTag = (row: Row): FeaturedTag => ({
  id: row.id,
  name: row.name,
  url: `${row.account_url}/tagged/${encodeURIComponent(row.tag)}`,
  statuses_count: String(row.statuses_count),
  last_status_at: row.last_status_at,
});

/** Returns one featured tag by its own id. @throws RookeryError `not_found` */
export async function featuredTagOf(db: Db, accountId: string, id: string): Promise<FeaturedTag> {
  const found = (await featuredTagsOf(db, accountId)).find((tag) => tag.id === id);
  if (!found) throw notFound();
  return found;
}

/** https://docs.joinmastodon.org/methods/featured_tags/#get */
export const listFeaturedTags = endpoint({
  method: 'GET',
  path: '/api/v1/featured_tags',
  summary: 'View your featured hashtags',
  auth: 'user',
  scopes: ['read:accounts'],
  reply: z.array(featuredTagSchema),
  handler: async (ctx) => {
    return { json: await featuredTagsOf(ctx.db, ctx.viewer.account_id) };
  },
});

/**
 * https://docs.joinmastodon.org/methods/accounts/#featured_tags. Returns an empty list for a suspended
 * account.
 */
export const accountFeaturedTags = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/featured_tags',
  summary: "View an account's featured hashtags",
  auth: 'optional',
  scopes: [],
  params: idParams,
  reply: z.array(featuredTagSchema),
  handler: async (ctx, { params }) => {
    await requireAccount(ctx.db, params.id);
    return { json: await featuredTagsOf(ctx.db, params.id) };
  },
});
