import type { AnnouncementContent } from '#events/announcements.ts';
import type { Instance } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import { emojisIn, members } from '#mastodon/ready-json.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { visibleTo } from '../visibility/statuses.ts';

/** The maximum number of announcements in a list. */
const MAX_SHOWN = 100;

/** $1 is the viewer, null for none. Linked posts are included if the viewer may see them. */
const COLUMNS = `n.id, n.content, n.published_at, n.updated_at,
  exists (select from announcement_dismissals d where d.announcement_id = n.id and d.account_id = $1::bigint) as read,
  coalesce((
    select json_agg(json_build_object('name', c.name, 'count', c.count, 'me', exists (
      select from announcement_reactions r
      where r.announcement_id = n.id and r.name = c.name and r.account_id = $1::bigint)) order by c.first_id)
    from announcement_reaction_counts c where c.announcement_id = n.id), '[]') as reactions,
  case when n.content -> 'status_ids' = '[]' then '[]' else coalesce((
    select json_agg(json_build_object('id', s.id::text, 'url', coalesce(s.url, s.uri)) order by s.id)
    from statuses s join accounts a on a.id = s.account_id
    where s.id = any(array(select jsonb_array_elements_text(n.content -> 'status_ids')::bigint))
      and ${visibleTo('$1')}), '[]') end as statuses`;

const LIST = statement<Row & { moment: string }>(
  'announcements_list',
  `select * from (select ${COLUMNS},
      coalesce((n.content ->> 'starts_at')::timestamptz, n.published_at) as moment
    from announcements n where n.published_at is not null
      and ($2 or not exists (
        select from announcement_dismissals d where d.announcement_id = n.id and d.account_id = $1::bigint))
    order by moment desc, n.id desc limit ${MAX_SHOWN}) as newest
   order by moment, id`,
);
const ONE = statement<Row>(
  'announcements_one',
  `select ${COLUMNS} from announcements n where n.id = $2 and n.published_at is not null`,
);
const PUBLISHED = statement<{ id: string; reactions: string[] }>(
  'announcements_published',
  `select n.id, array(select c.name from announcement_reaction_counts c where c.announcement_id = n.id) as reactions
   from announcements n where n.id = $1 and n.published_at is not null`,
);
const REACTION = statement<{ count: number }>(
  'announcements_reaction',
  `select coalesce(c.count, 0) as count from announcements n
   left join announcement_reaction_counts c on c.announcement_id = n.id and c.name = $2
   where n.id = $1 and n.published_at is not null`,
);

interface Row {
  id: string;
  content: AnnouncementContent;
  published_at: string;
  updated_at: string;
  read: boolean;
  reactions: { name: string; count: number; me: boolean }[];
  statuses: { id: string; url: string }[];
}

/** Returns the published announcements for a viewer as ready JSON, earliest first. */
export async function announcementsFor(
  db: Db,
  instance: Instance,
  readerId: string,
  { withDismissed }: { withDismissed: boolean },
): Promise<string[]> {
  const rows = await db.query(LIST, [readerId, withDismissed]);
  return rows.map((row) => announcementJson(row, instance, true));
}

/**
 * Returns one published announcement as JSON for a viewer; for null, without `read` and `me`, as streams send
 * it. Undefined when it is not published.
 */
export async function announcementText(
  db: Db,
  instance: Instance,
  id: string,
  readerId: string | null = null,
): Promise<string | undefined> {
  const [row] = await db.query(ONE, [readerId, id]);
  return row && announcementJson(row, instance, readerId !== null);
}

/**
 * Returns the count of one reaction to a published announcement, possibly 0, as JSON, as streams send it in
 * `announcement.reaction`. Undefined when the announcement is not published.
 */
export async function announcementReactionText(
  db: Db,
  instance: Instance,
  { announcementId, name }: { announcementId: string; name: string },
): Promise<string | undefined> {
  const [row] = await db.query(REACTION, [announcementId, name]);
  if (!row) return undefined;
  return JSON.stringify({ ...reaction(name, row.count, instance), announcement_id: announcementId });
}

/** Returns a published announcement with its different reactions. @throws RookeryError `not_found` */
export async function requirePublished(
  db: Db,
  id: string,
): Promise<{ id: string; reactions: readonly string[] }> {
  const [row] = await db.query(PUBLISHED, [id]);
  if (!row) throw notFound();
  return row;
}

const midnightOf = (time: string | null): string | null => time && `${time.slice(0, 10)}T00:00:00.000Z`;

/** https://docs.joinmastodon.org/entities/Announcement/ */
function announcementJson(row: Row, instance: Instance, forReader: boolean): string {
  const { content } = row;
  const first = members({
    id: row.id,
    content: content.content,
    starts_at: content.starts_at,
    // Clients show the day only, so an all-day announcement has midnight at both ends, as in Mastodon.
    ends_at: content.all_day ? midnightOf(content.ends_at) : content.ends_at,
    all_day: content.all_day,
    published_at: row.published_at,
    updated_at: row.updated_at,
    ...(forReader ? { read: row.read } : {}),
    mentions: content.mentions,
    statuses: row.statuses,
    tags: content.tags.map(({ normal }) => ({
      name: normal,
      url: `${instance.origin}/tags/${encodeURIComponent(normal)}`,
    })),
  });
  const reactions = row.reactions.map(({ name, count, me }) => ({
    ...reaction(name, count, instance),
    ...(forReader ? { me } : {}),
  }));
  const emojis = fillOrigins(emojisIn([content.text]) ?? '[]', instance);
  return `{${first},"emojis":${emojis},"reactions":${JSON.stringify(reactions)}}`;
}

/** https://docs.joinmastodon.org/entities/Reaction/. A deleted custom emoji has a name only. */
function reaction(
  name: string,
  count: number,
  instance: Instance,
): { name: string; count: number; url?: string; static_url?: string } {
  const emoji = instance.emojis.json(name);
  if (emoji === undefined) return { name, count };
  const { url, static_url } = JSON.parse(fillOrigins(emoji, instance)) as { url: string; static_url: string };
  return { name, count, url, static_url };
}
