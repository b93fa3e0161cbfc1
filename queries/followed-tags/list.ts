import { z } from 'zod';
import { endpoint } from '../../src/kernel/endpoint.ts';
import {
  keysetStatement,
  linksOf,
  newestFirst,
  pageParameters,
  pageRequest,
  selectPage,
} from '../../src/kernel/paging.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { readyArray } from '../entities/ready-json.ts';
import { tagSchema } from '../entities/schemas/index.ts';
import { tagColumns, tagJson, type TagRow } from '../entities/tag.ts';

const FOLLOWED = keysetStatement(
  'followed_tags',
  (order) => `
    select t.id as cursor, ${tagColumns('t.tag', '$1')} from tag_follows t
    where t.account_id = $1 and t.id < $2 and t.id > $3
    order by t.id ${order} limit $4`,
);

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
    await ctx.settle([MAIN]);
    const page = pageRequest(query);
    const rows = newestFirst(await selectPage<TagRow & { cursor: string }>(ctx, FOLLOWED, page), page);
    return {
      text: readyArray(
        rows.map((row) => tagJson(row, true)),
        ctx.instance,
      ),
      page: linksOf(rows, page, ({ cursor }) => cursor),
    };
  },
});
