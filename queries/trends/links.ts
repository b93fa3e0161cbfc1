import { z } from 'zod';
import { idAt } from '../../src/kernel/ids.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { HISTORY_DAYS, historyOf } from '../entities/history.ts';
import { readyArray } from '../entities/ready-json.ts';
import { trendsLinkSchema } from '../entities/schemas/index.ts';
import { visibleTo, wantedBy } from '../visibility/statuses.ts';
import { trendLists } from './lists.ts';

const DAY = 86_400_000;
/** Posts with one link that are counted for its history. */
const MAX_POSTS = 10_000;

/** Of the link `p.link`, by public posts; $5 is below those of the first day. */
const HISTORY = historyOf(`(
  select (s.created_at at time zone 'utc')::date as day, count(*) as uses, count(distinct s.account_id) as accounts
  from (
    select status_id from status_links l where l.link = p.link and l.status_id > $5
    order by status_id desc limit ${MAX_POSTS}
  ) l join statuses s on s.id = l.status_id and s.visibility = 'public' and not s.deleted
  group by 1
) u on u.day = d.day`);

/** The card of a link is that of the newest post that shows it and that the reader may meet. */
const PAGE = statement(
  'trends_links',
  `with page as (
     select r.place, decode(r.key, 'hex') as link, shown.card, shown.language
     from rankings r cross join lateral (
       select s.card, s.language from status_links l
       join statuses s on s.id = l.status_id and s.visibility = 'public' and s.card is not null
       join accounts a on a.id = s.account_id
       where l.link = decode(r.key, 'hex') and ${visibleTo('$1')} and ${wantedBy('$1')}
       order by l.status_id desc limit 1
     ) shown
     where r.kind = 'links'
     order by coalesce(shown.language = any($2::text[]), false) desc, r.place offset $3 limit $4 + 1
   )
   select p.card, ${HISTORY}::text as history from page p
   order by coalesce(p.language = any($2::text[]), false) desc, p.place`,
);

const TRENDS = statement(
  'link_trends',
  `select 1 as place from rankings where kind = 'links' and key = encode(sha256(convert_to($1, 'UTF8')), 'hex')`,
);

/** Whether a link is among those that trend now. */
export const linkTrends = async (db: Db, url: string): Promise<boolean> =>
  (await db.query(TRENDS, [url])).length > 0;

/**
 * https://docs.joinmastodon.org/methods/trends/#links
 * https://docs.joinmastodon.org/methods/admin/trends/#links
 */
export const { forAll: trendingLinks, forStaff: adminTrendingLinks } = trendLists<{
  card: string;
  history: string;
}>({
  path: '/api/v1/trends/links',
  staffPath: '/api/v1/admin/trends/links',
  what: 'links',
  limit: { usual: 10, most: 20 },
  statement: PAGE,
  values: ({ now }) => [idAt(Date.parse(now) - HISTORY_DAYS * DAY)],
  reply: z.array(trendsLinkSchema),
  text: ({ instance }, rows) =>
    readyArray(
      rows.map(({ card, history }) => `${card.slice(0, -1)},"history":${history}}`),
      instance,
    ),
});
