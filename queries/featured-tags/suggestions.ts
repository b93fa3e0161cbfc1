import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { statement } from '#kernel/read.ts';
import { tagSchema } from '#mastodon/schemas/index.ts';
import { readyArray } from '../entities/ready-json.ts';
import { tagColumns, tagJson, type TagRow } from '../entities/tag.ts';

/** Considers the newest thousand uses of hashtags; the most used one comes first. */
const SUGGESTIONS = statement<TagRow>(
  'featured_tags_suggestions',
  `select ${tagColumns('t.tag', '$1')} from (
     select recent.tag, count(*) as uses from (
       select s.tag from tagged_statuses s where s.account_id = $1 and s.carried order by s.status_id desc limit 1000) recent
     where not exists (select from featured_tags f where f.account_id = $1 and f.tag = recent.tag)
     group by recent.tag order by count(*) desc, recent.tag limit 10) t
   order by t.uses desc, t.tag`,
);

/** https://docs.joinmastodon.org/methods/featured_tags/#suggestions */
export const suggestFeaturedTags = endpoint({
  method: 'GET',
  path: '/api/v1/featured_tags/suggestions',
  summary: 'View hashtags that you used lately and could feature',
  auth: 'user',
  scopes: ['read:accounts'],
  reply: z.array(tagSchema),
  handler: async (ctx) => {
    const rows = await ctx.db.query(SUGGESTIONS, [ctx.viewer.account_id]);
    return {
      text: readyArray(
        rows.map((row) => tagJson(row, true)),
        ctx.instance,
      ),
    };
  },
});
