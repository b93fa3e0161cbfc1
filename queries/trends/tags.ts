import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { statement } from '#kernel/read.ts';
import { adminTagSchema, tagSchema } from '#mastodon/schemas/index.ts';
import { fillOrigins, readyArray } from '../entities/ready-json.ts';
import { tagColumns, tagJson, type TagRow } from '../entities/tag.ts';
import { allows } from './allowed.ts';
import { trendList, trendListForStaff } from './lists.ts';

const ALLOWED = statement<TagRow>(
  'trends_tags',
  `select ${tagColumns('t.key', '$1')} from (
     select r.key, r.place from rankings r left join tag_reviews v on v.tag = r.key
     where r.kind = 'tags' and ${allows('v.trendable')} order by r.place offset $2 limit $3
   ) t order by t.place`,
);
const FOR_STAFF = statement<AdminRow>(
  'admin_trends_tags',
  `select ${tagColumns('t.key', '$3')}, v.trendable from (
     select r.key, r.place from rankings r where r.kind = 'tags' order by r.place offset $1 limit $2
   ) t left join tag_reviews v on v.tag = t.key order by t.place`,
);
const ONE = statement<AdminRow>(
  'admin_tag',
  `select ${tagColumns('t.key', '$1')}, v.trendable from (select $2::text as key) t
   left join tag_reviews v on v.tag = t.key`,
);
/** $1 is the viewer. Selects known hashtags, by the id that clients see. */
const KNOWN = keysetStatement<AdminRow & { tag_id: string }>(
  'admin_tags',
  (order) => `
    select ${tagColumns('t.tag', '$1')}, v.trendable, t.id::text as tag_id from (
      select k.tag, k.id from tags k where k.id < $2 and k.id > $3 order by k.id ${order} limit $4
    ) t left join tag_reviews v on v.tag = t.tag order by t.id ${order}`,
);
const BY_ID = statement<{ tag: string }>(
  'tag_by_id',
  'select tag from tag_reviews where id = $1 union all select tag from tags where id = $1 limit 1',
);

const trendingTagsAt = <const Path extends string>(path: Path, deprecated: boolean) =>
  trendList({
    path,
    what: 'hashtags',
    limit: { usual: 10, most: 20 },
    statement: ALLOWED,
    ...(deprecated ? { deprecatedOn: '2022-03-30' } : {}),
    reply: z.array(tagSchema),
    text: ({ instance, viewer }, rows: readonly TagRow[]) =>
      readyArray(
        rows.map((row) => tagJson(row, viewer !== undefined)),
        instance,
      ),
  });

/** https://docs.joinmastodon.org/methods/trends/#tags */
export const trendingTags = trendingTagsAt('/api/v1/trends/tags', false);
export const trendingTagsOfOld = trendingTagsAt('/api/v1/trends', true);

/** https://docs.joinmastodon.org/methods/admin/trends/#tags */
export const adminTrendingTags = trendListForStaff({
  path: '/api/v1/admin/trends/tags',
  what: 'hashtags',
  limit: { usual: 10, most: 100 },
  statement: FOR_STAFF,
  values: ({ viewer }) => [viewer?.account_id],
  reply: z.array(adminTagSchema),
  text: ({ instance }, rows: readonly AdminRow[]) => readyArray(rows.map(adminTagJson), instance),
});

/** As in Mastodon, whose documentation omits it: all hashtags, by their ids. */
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
    const { rows, page } = await readPage(ctx, KNOWN, query, ({ tag_id }) => tag_id);
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
  /** Null until staff decide. */
  trendable: boolean | null;
}

/** https://docs.joinmastodon.org/entities/Tag/#admin. The reply contains an address for every hashtag. */
function adminTagJson(row: AdminRow): string {
  const { trendable } = row;
  return (
    `${tagJson(row, true).slice(0, -1)},"trendable":${trendable === true},"usable":true,` +
    `"requires_review":${trendable === null}}`
  );
}

/** Returns one hashtag as staff see it, by its normal name. */
export async function adminTagText(ctx: RequestContext, tag: string): Promise<string> {
  const [row] = await ctx.db.query(ONE, [ctx.viewer?.account_id ?? null, tag]);
  if (!row) throw notFound();
  return fillOrigins(adminTagJson(row), ctx.instance);
}

/**
 * Returns the normal name of a hashtag that a user used, follows or features, or that staff were asked to
 * review. @throws RookeryError `not_found` for any other
 */
export async function tagOfId(ctx: RequestContext, id: string): Promise<string> {
  const [found] = await ctx.db.query(BY_ID, [id]);
  if (!found) throw notFound();
  return found.tag;
}
