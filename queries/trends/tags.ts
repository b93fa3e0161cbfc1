import { z } from 'zod';
import type { RequestContext } from '../../src/kernel/context.ts';
import { endpoint, type Reply } from '../../src/kernel/endpoint.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { offsetPage, offsetParameters, type OffsetPage } from '../../src/kernel/offset-paging.ts';
import { idParams } from '../../src/kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '../../src/kernel/paging.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { statement } from '../../src/kernel/read.ts';
import { fillOrigins, readyArray } from '../entities/ready-json.ts';
import { adminTagSchema, tagSchema } from '../entities/schemas/index.ts';
import { TRENDABLE_BY_DEFAULT } from './allowed.ts';
import { tagColumns, tagJson, type TagRow } from '../entities/tag.ts';

const PAGE = `r.kind = 'tags' order by r.place offset $2 limit $3 + 1`;
const ALLOWED = statement(
  'trends_tags',
  `select ${tagColumns('t.key', '$1')} from (
     select r.key, r.place from rankings r left join tag_reviews v on v.tag = r.key
     where coalesce(v.trendable, ${TRENDABLE_BY_DEFAULT}) and ${PAGE}
   ) t order by t.place`,
);
const ALL = statement(
  'admin_trends_tags',
  `select ${tagColumns('t.key', '$1')}, v.trendable from (select r.key, r.place from rankings r where ${PAGE}) t
   left join tag_reviews v on v.tag = t.key order by t.place`,
);
const ONE = statement(
  'admin_tag',
  `select ${tagColumns('t.key', '$1')}, v.trendable from (select $2::text as key) t
   left join tag_reviews v on v.tag = t.key`,
);
/** $1 the reader; hashtags that are known here, by the id that clients see. */
const KNOWN = keysetStatement(
  'admin_tags',
  (order) => `
    select ${tagColumns('t.tag', '$1')}, v.trendable, t.id::text as tag_id from (
      select k.tag, k.id from tags k where k.id < $2 and k.id > $3 order by k.id ${order} limit $4
    ) t left join tag_reviews v on v.tag = t.tag order by t.id ${order}`,
);
const BY_ID = statement(
  'tag_by_id',
  'select tag from tag_reviews where id = $1 union all select tag from tags where id = $1 limit 1',
);

const shared = {
  method: 'GET',
  auth: 'optional',
  scopes: [],
  query: z.object(offsetParameters(10, 20)),
  reply: z.array(tagSchema),
} as const;

/** Those that staff allowed. https://docs.joinmastodon.org/methods/trends/#tags */
export const trendingTags = endpoint({
  ...shared,
  path: '/api/v1/trends/tags',
  summary: 'View trending hashtags',
  handler: (ctx, { query }) => allowed(ctx, query, 'trends/tags'),
});

export const trendingTagsOfOld = endpoint({
  ...shared,
  path: '/api/v1/trends',
  summary: 'View trending hashtags',
  deprecated: true,
  handler: (ctx, { query }) => allowed(ctx, query, 'trends'),
});

async function allowed(ctx: RequestContext, page: OffsetPage, path: string): Promise<Reply> {
  const { db, viewer, instance } = ctx;
  await ctx.settle([MAIN]);
  const found = await db.query<TagRow>(ALLOWED, [viewer?.account_id ?? null, page.offset, page.limit]);
  const { rows, headers } = offsetPage(found, `${instance.origin}/api/v1/${path}`, page);
  const tags = rows.map((row) => tagJson(row, viewer !== undefined));
  return { text: readyArray(tags, instance), headers };
}

/** Also those that nobody has looked at, or that were rejected. https://docs.joinmastodon.org/methods/admin/trends/#tags */
export const adminTrendingTags = endpoint({
  method: 'GET',
  path: '/api/v1/admin/trends/tags',
  summary: 'View trending hashtags, as staff',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'manage_taxonomies',
  query: z.object(offsetParameters(10, 100)),
  reply: z.array(adminTagSchema),
  handler: async (ctx, { query: page }) => {
    await ctx.settle([MAIN]);
    const found = await ctx.db.query<AdminRow>(ALL, [ctx.viewer.account_id, page.offset, page.limit]);
    const { rows, headers } = offsetPage(found, `${ctx.instance.origin}/api/v1/admin/trends/tags`, page);
    return { text: readyArray(rows.map(adminTagJson), ctx.instance), headers };
  },
});

/** As Mastodon's, which its documentation leaves out: all hashtags, by their ids. */
export const listAdminTags = endpoint({
  method: 'GET',
  path: '/api/v1/admin/tags',
  summary: 'View all hashtags, as staff',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'manage_taxonomies',
  query: z.object(pageParameters(100, 200)),
  reply: z.array(adminTagSchema),
  handler: async (ctx, { query }) => {
    await ctx.settle([MAIN]);
    const { rows, page } = await readPage<AdminRow & { tag_id: string }>(
      ctx,
      KNOWN,
      query,
      ({ tag_id }) => tag_id,
    );
    return { text: readyArray(rows.map(adminTagJson), ctx.instance), page };
  },
});

export const showAdminTag = endpoint({
  method: 'GET',
  path: '/api/v1/admin/tags/:id',
  summary: 'View a hashtag, as staff',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'manage_taxonomies',
  params: idParams,
  reply: adminTagSchema,
  handler: async (ctx, { params }) => ({ text: await adminTagText(ctx, await tagOfId(ctx, params.id)) }),
});

interface AdminRow extends TagRow {
  /** null: not decided yet. */
  trendable: boolean | null;
}

/** https://docs.joinmastodon.org/entities/Tag/#admin. Every hashtag becomes a link. */
function adminTagJson(row: AdminRow): string {
  const { trendable } = row;
  return (
    `${tagJson(row, true).slice(0, -1)},"trendable":${trendable === true},"usable":true,` +
    `"requires_review":${trendable === null}}`
  );
}

/** One hashtag as staff sees it, by its normal name. */
export async function adminTagText(ctx: RequestContext, tag: string): Promise<string> {
  const [row] = await ctx.db.query<AdminRow>(ONE, [ctx.viewer?.account_id ?? null, tag]);
  if (!row) throw notFound();
  return fillOrigins(adminTagJson(row), ctx.instance);
}

/**
 * The normal name of a hashtag that somebody used, follows or shows, or that staff was asked about. An id does not say it, being a
 * digest.
 * @throws RookeryError `not_found` for any other
 */
export async function tagOfId(ctx: RequestContext, id: string): Promise<string> {
  await ctx.settle([MAIN]);
  const [found] = await ctx.db.query<{ tag: string }>(BY_ID, [id]);
  if (!found) throw notFound();
  return found.tag;
}
