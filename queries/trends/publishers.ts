import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { statement } from '#kernel/read.ts';
import { type PreviewCardProvider, previewCardProviderSchema } from '#mastodon/schemas/index.ts';
import { idOfHash, publisherReview } from './allowed.ts';

/** SQL: publishers that staff reviewed, and hosts of trending links without a review. */
const PUBLISHERS = `(
  select ${idOfHash("encode(sha256(convert_to(k.domain, 'UTF8')), 'hex')")} as id, k.* from (
    select v.key as domain, v.trendable, v.reviewed_at from trend_reviews v where v.subject = 'publisher'
    union all
    select distinct l.host, null::boolean, null::timestamptz
    from rankings r cross join lateral (
      select l.host from status_links l where l.link = decode(r.key, 'hex') order by l.status_id desc limit 1
    ) l where r.kind = 'links' and l.host <> '' and ${publisherReview('l.host')} is null
  ) k
)`;
const PAGE = keysetStatement<Row>(
  'admin_publishers',
  (order) => `
    select p.id::text, p.domain, p.trendable, p.reviewed_at from ${PUBLISHERS} p
    where $1::bigint is not null and p.id < $2 and p.id > $3 order by p.id ${order} limit $4`,
);
const BY_ID = statement<{ domain: string }>(
  'admin_publisher_by_id',
  `select p.domain from ${PUBLISHERS} p where p.id = $1`,
);
const ONE = statement<Row>(
  'admin_publisher',
  `select p.id::text, p.domain, p.trendable, p.reviewed_at from ${PUBLISHERS} p where p.domain = $1`,
);

interface Row {
  id: string;
  domain: string;
  trendable: boolean | null;
  reviewed_at: string | null;
}

const publisher = ({ id, domain, trendable, reviewed_at }: Row): PreviewCardProvider => ({
  id,
  domain,
  trendable,
  reviewed_at,
  requested_review_at: null,
  requires_review: reviewed_at === null,
});

/** As in Mastodon, whose documentation omits it. */
export const listPublishers = endpoint({
  method: 'GET',
  path: '/api/v1/admin/trends/links/publishers',
  summary: 'View publishers of trending links, as staff',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'manage_taxonomies',
  query: z.object(pageParameters(100, 200)),
  reply: z.array(previewCardProviderSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, PAGE, query, ({ id }) => id);
    return { json: rows.map(publisher), page };
  },
});

/**
 * Returns the domain of a publisher. @throws RookeryError `not_found` for one that is neither reviewed nor
 * waiting
 */
export async function publisherOfId(ctx: RequestContext, id: string): Promise<string> {
  const [found] = await ctx.db.query(BY_ID, [id]);
  if (!found) throw notFound();
  return found.domain;
}

/** Returns one publisher as staff see it. @throws RookeryError `not_found` */
export async function publisherText(ctx: RequestContext, domain: string): Promise<string> {
  const [row] = await ctx.db.query(ONE, [domain]);
  if (!row) throw notFound();
  return JSON.stringify(publisher(row));
}
