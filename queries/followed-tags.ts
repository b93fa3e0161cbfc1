import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { BACK_BY_SINCE_ID, keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { tagSchema } from '#mastodon/schemas/index.ts';
import { readyArray } from './entities/ready-json.ts';
import { tagColumns, tagJson, type TagRow } from './entities/tag.ts';

const FOLLOWED = keysetStatement<FollowedRow>(
  'followed_tags',
  (order) => `
    select t.id as cursor, ${tagColumns('t.tag', '$1')} from tag_follows t
    where t.account_id = $1 and t.id < $2 and t.id > $3
    order by t.id ${order} limit $4`,
  BACK_BY_SINCE_ID,
);

type FollowedRow = TagRow & { cursor: string };

/** https://docs.joinmastodon.org/methods/followed_tags/#get */
export const listFollowedTags = endpoint({
  method: 'GET',
  path: '/api/v1/followed_tags',
  summary: 'View the hashtags that you follow',
  auth: 'user',
  scopes: ['read:follows', 'follow'],
  query: z.object(pageParameters(100, 200)),
  reply: z.array(tagSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, FOLLOWED, query, ({ cursor }) => cursor);
    const tags = rows.map((row) => tagJson(row, true));
    return { text: readyArray(tags, ctx.instance), page };
  },
});

export const followedTagQueries = [listFollowedTags];
