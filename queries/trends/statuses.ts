import { z } from 'zod';
import type { RequestContext } from '../../src/kernel/context.ts';
import { endpoint, type Reply } from '../../src/kernel/endpoint.ts';
import { jsonArray } from '../../src/kernel/json-pieces.ts';
import { offsetPage, offsetParameters, type OffsetPage } from '../../src/kernel/offset-paging.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { statement } from '../../src/kernel/read.ts';
import { statusSchema } from '../entities/schemas/index.ts';
import { findStatuses } from '../statuses/index.ts';
import { visibleTo, wantedBy } from '../visibility/statuses.ts';
import { preferredLanguages } from './languages.ts';

const PAGE = statement(
  'trends_statuses',
  `select s.id from rankings r
   join statuses s on s.id = r.key::bigint and s.visibility = 'public' join accounts a on a.id = s.account_id
   where r.kind = 'statuses' and ${visibleTo('$1')} and ${wantedBy('$1')}
   order by coalesce(s.language = any($2::text[]), false) desc, r.place offset $3 limit $4 + 1`,
);

/** In the reader's languages first. https://docs.joinmastodon.org/methods/trends/#statuses */
export const trendingStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/trends/statuses',
  summary: 'View trending posts',
  auth: 'optional',
  scopes: [],
  query: z.object(offsetParameters(20, 40)),
  reply: z.array(statusSchema),
  handler: async (ctx, { query }) => list(ctx, query, await preferredLanguages(ctx), 'trends/statuses'),
});

/** https://docs.joinmastodon.org/methods/admin/trends/#statuses */
export const adminTrendingStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/admin/trends/statuses',
  summary: 'View trending posts, as staff',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'manage_taxonomies',
  query: z.object(offsetParameters(20, 100)),
  reply: z.array(statusSchema),
  handler: (ctx, { query }) => list(ctx, query, [], 'admin/trends/statuses'),
});

async function list(
  ctx: RequestContext,
  page: OffsetPage,
  languages: readonly string[],
  path: string,
): Promise<Reply> {
  await ctx.settle([MAIN]);
  const values = [ctx.viewer?.account_id ?? null, languages, page.offset, page.limit];
  const found = await ctx.db.query<{ id: string }>(PAGE, values);
  const { rows, headers } = offsetPage(found, `${ctx.instance.origin}/api/v1/${path}`, page);
  const statuses = await findStatuses(
    ctx,
    rows.map(({ id }) => id),
  );
  return { text: jsonArray(statuses.filter((status) => status !== undefined)), headers };
}
