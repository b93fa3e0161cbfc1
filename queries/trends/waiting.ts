import type { Instance } from '#kernel/context.ts';
import { type Db, statement } from '#kernel/read.ts';
import { shownDomain } from '../entities/handles.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { linkReview } from './allowed.ts';
import { FOR_ANY_STAFF, newestWith } from './links.ts';
import { REVIEWABLE } from './statuses.ts';

/** A trending hashtag, post or link without a review. */
export interface WaitingTrend {
  subject: 'tag' | 'status' | 'link';
  /** As in events: the normal name of a hashtag, the id of a post, the SHA-256 of a link in hexadecimal. */
  key: string;
  /** The spelling of a hashtag, the handle of an author with its `@`, or the address of a link. */
  name: string;
  /** The page that shows it. */
  url: string;
  /** Staff were asked to review it. */
  asked: boolean;
  /** It ranks higher than the third shown trend: as in Mastodon, staff are asked to review those. */
  high: boolean;
}

const ranked = (kind: 'tags' | 'statuses' | 'links'): string =>
  `(select * from rankings where kind = '${kind}') r`;

const WAITING = statement<Row>(
  'trends_waiting',
  `with trends as (
     select 'tag' as subject, r.place, r.key, coalesce(t.display_name, r.key) as name, null as url, null as card,
       v.trendable, v.tag is not null as asked
     from ${ranked('tags')} left join tag_reviews v on v.tag = r.key left join tags t on t.tag = r.key
     union all
     select 'status', r.place, r.key, '@' || a.username || coalesce('@' || ${shownDomain()}, ''), coalesce(s.url, s.uri), null,
       v.trendable, v.key is not null
     from ${ranked('statuses')}
     join statuses s on s.id = r.key::bigint join accounts a on a.id = s.account_id
     left join trend_reviews v on v.subject = 'status' and v.key = r.key where ${REVIEWABLE}
     union all
     select 'link', r.place, r.key, '', null, shown.card, ${linkReview('r.key', 'shown.host')}, v.key is not null
     from ${ranked('links')} cross join ${newestWith("decode(r.key, 'hex')", FOR_ANY_STAFF)}
     left join trend_reviews v on v.subject = 'link' and v.key = r.key
   )
   select subject, key, name, url, card, asked, high from (
     select *, place < coalesce(min(place) filter (where trendable and place >= 3) over (partition by subject), place + 1) as high
     from trends
   ) t where trendable is null order by subject desc, place`,
);

interface Row extends Omit<WaitingTrend, 'url'> {
  url: string | null;
  card: string | null;
}

/** Returns trends that wait for a review, at most 600, the highest of each kind first. */
export async function waitingTrends(db: Db, instance: Instance): Promise<WaitingTrend[]> {
  const rows = await db.query(WAITING, []);
  return rows.map(({ card, url, ...row }) => {
    if (card !== null) {
      const link = (JSON.parse(fillOrigins(card, instance)) as { url: string }).url;
      return { ...row, name: link, url: link };
    }
    return { ...row, url: url ?? `${instance.origin}/tags/${encodeURIComponent(row.name)}` };
  });
}
