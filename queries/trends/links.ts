import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { notFound, RookeryError } from '#kernel/errors.ts';
import { idAt } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { hostOfLink } from '#mastodon/domain-name.ts';
import { adminTrendsLinkSchema, trendsLinkSchema } from '#mastodon/schemas/index.ts';
import { type CardRow, withCardAuthors } from '../entities/card-authors.ts';
import { HISTORY_DAYS, historyOf } from '../entities/history.ts';
import { fillOrigins, readyArray } from '../entities/ready-json.ts';
import { notMutedBy, visibleTo } from '../visibility/statuses.ts';
import { allows, idOfHash, linkReview } from './allowed.ts';
import { preferredLanguages } from './languages.ts';
import { trendList, trendListForStaff } from './lists.ts';

const DAY = 86_400_000;
/** The maximum number of posts with one link that its history counts. */
const MAX_POSTS = 10_000;

/** SQL: counts the uses of the link `p.link` by public posts; `since` is below the ids of the first day. */
const history = (since: string): string =>
  historyOf(`(
  select (s.created_at at time zone 'utc')::date as day, count(*) as uses, count(distinct s.account_id) as accounts
  from (
    select status_id from status_links l where l.link = p.link and l.status_id > ${since}
    order by status_id desc limit ${MAX_POSTS}
  ) l join statuses s on s.id = l.status_id and s.visibility = 'public' and not s.deleted
  group by 1
) u on u.day = d.day`);

/** SQL: the newest post with the card of the link `link`. */
export const newestWith = (link: string, condition: string): string => `lateral (
  select s.card, s.card_author_id, s.language, l.host from status_links l
  join statuses s on s.id = l.status_id and s.visibility = 'public' and s.card is not null
  join accounts a on a.id = s.account_id
  where l.link = ${link} and ${condition}
  order by l.status_id desc limit 1
) shown`;

/** A link has the card of the newest post that shows it and that the viewer may see. */
const PAGE = statement<CardRow & { history: string }>(
  'trends_links',
  `with page as (
     select r.place, decode(r.key, 'hex') as link, shown.card, shown.card_author_id, shown.language
     from rankings r cross join ${newestWith("decode(r.key, 'hex')", `${visibleTo('$1')} and ${notMutedBy('$1')}`)}
     where r.kind = 'links' and ${allows(linkReview('r.key', 'shown.host'))}
     order by coalesce(shown.language = any($4::text[]), false) desc, r.place offset $2 limit $3
   )
   select p.card, p.card_author_id, ${history('$5')}::text as history from page p
   order by coalesce(p.language = any($4::text[]), false) desc, p.place`,
);

/** Staff members see links in posts of accounts that they mute or that block them, too. */
export const FOR_ANY_STAFF = 'not s.deleted and not a.suspended';
const FOR_STAFF = statement<StaffRow>(
  'admin_trends_links',
  `with page as (
     select r.place, r.key, decode(r.key, 'hex') as link, shown.card, shown.card_author_id, shown.host
     from rankings r cross join ${newestWith("decode(r.key, 'hex')", FOR_ANY_STAFF)}
     where r.kind = 'links' order by r.place offset $1 limit $2
   )
   select ${idOfHash('p.key')}::text as id, p.card, p.card_author_id, ${linkReview('p.key', 'p.host')} is null as requires_review,
     ${history('$3')}::text as history from page p order by p.place`,
);
const ONE = statement<StaffRow>(
  'admin_trends_link',
  `select ${idOfHash('$1::text')}::text as id, p.card, p.card_author_id, ${linkReview('$1::text', 'p.host')} is null as requires_review,
     ${history('$2')}::text as history
   from (select decode($1::text, 'hex') as link, shown.card, shown.card_author_id, shown.host
         from (select 1) one cross join ${newestWith("decode($1::text, 'hex')", FOR_ANY_STAFF)}) p`,
);
const BY_ID = statement<{ key: string }>(
  'trends_link_by_id',
  `select key from (
     select key from rankings where kind = 'links'
     union select key from trend_reviews where subject = 'link'
   ) known where ${idOfHash('key')} = $1 limit 1`,
);

const BY_URL = statement<{ key: string }>(
  'trends_link_by_url',
  `select encode(link, 'hex') as key from status_links where link = sha256(convert_to($1, 'UTF8')) limit 1`,
);

const TRENDS = statement<{ place: number }>(
  'link_trends',
  `select 1 as place from rankings r where r.kind = 'links' and r.key = encode(sha256(convert_to($1, 'UTF8')), 'hex')
   and ${allows(linkReview('r.key', '$2::text'))}`,
);

/** Returns true if a link is among the trends and is shown there. */
export const linkTrends = async (db: Db, url: string): Promise<boolean> =>
  (await db.query(TRENDS, [url, hostOfLink(url)])).length > 0;

const since = (now: string): string => idAt(Date.parse(now) - HISTORY_DAYS * DAY);

/** https://docs.joinmastodon.org/methods/trends/#links */
export const trendingLinks = trendList({
  path: '/api/v1/trends/links',
  what: 'links',
  limit: { usual: 10, most: 20 },
  statement: PAGE,
  values: async (ctx) => [await preferredLanguages(ctx), since(ctx.now)],
  reply: z.array(trendsLinkSchema),
  text: async (ctx, rows: readonly (CardRow & { history: string })[]) =>
    readyArray(
      (await withCardAuthors(ctx, rows)).map(
        ({ card, history: days }) => `${card.slice(0, -1)},"history":${days}}`,
      ),
      ctx.instance,
    ),
});

interface StaffRow extends CardRow {
  id: string;
  history: string;
  requires_review: boolean;
}

const forStaff = ({ id, card, history: days, requires_review }: StaffRow): string =>
  `${card.slice(0, -1)},"history":${days},"id":"${id}","requires_review":${requires_review}}`;

/** https://docs.joinmastodon.org/methods/admin/trends/#links */
export const adminTrendingLinks = trendListForStaff({
  path: '/api/v1/admin/trends/links',
  what: 'links',
  limit: { usual: 10, most: 100 },
  statement: FOR_STAFF,
  values: ({ now }) => [since(now)],
  reply: z.array(adminTrendsLinkSchema),
  text: async (ctx, rows: readonly StaffRow[]) =>
    readyArray((await withCardAuthors(ctx, rows)).map(forStaff), ctx.instance),
});

/**
 * Returns the SHA-256 of a link that trends or that staff reviewed. @throws RookeryError `not_found` for any
 * other
 */
export async function linkOfId(ctx: RequestContext, id: string): Promise<string> {
  const [found] = await ctx.db.query(BY_ID, [id]);
  if (!found) throw notFound();
  await adminLinkText(ctx, found.key);
  return found.key;
}

/** Returns the SHA-256 of a link that a post shows. @throws RookeryError `not_found` for any other */
export async function linkOfUrl(db: Db, url: string): Promise<string> {
  const [found] = await db.query(BY_URL, [url]);
  if (!found) throw new RookeryError('not_found', `No post shows ${url}`);
  return found.key;
}

/** Returns one link as staff see it. @throws RookeryError `not_found` when no post shows it */
export async function adminLinkText(ctx: RequestContext, key: string): Promise<string> {
  const rows = await ctx.db.query(ONE, [key, since(ctx.now)]);
  const [row] = await withCardAuthors(ctx, rows);
  if (!row) throw notFound();
  return fillOrigins(forStaff(row), ctx.instance);
}
