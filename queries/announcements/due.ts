import { type Db, statement } from '#kernel/read.ts';

/**
 * The time of the next change: a scheduled draft is published, a published announcement is unpublished at its
 * end.
 */
const TIMES = `(
    select n.id, (n.content ->> 'scheduled_at')::timestamptz as at, 'publish' as what from announcements n
    where n.published_at is null and n.content ->> 'scheduled_at' is not null
    union all
    select n.id, (n.content ->> 'ends_at')::timestamptz, 'unpublish' from announcements n
    where n.published_at is not null and n.content ->> 'ends_at' is not null
  ) as t`;
const KEY = `concat(t.id, ' ', t.what, ' ', floor(extract(epoch from t.at) * 1000)::bigint)`;

const DUE = statement<{ key: string; announcementId: string }>(
  'announcements_due',
  `select ${KEY} as key, t.id as "announcementId" from ${TIMES}
   where t.at <= $1::timestamptz and not ${KEY} = any($2::text[]) order by t.at, t.id limit 100`,
);
const NEXT = statement<{ next: string | null }>(
  'announcements_next',
  `select min(t.at) as next from ${TIMES} where t.at > $1::timestamptz`,
);

/**
 * Returns the changes that are due at a time (ISO 8601), one for each announcement and time, and the time of
 * the next change.
 */
export async function dueAnnouncements(
  db: Db,
  now: string,
  except: readonly string[],
): Promise<{ rows: { key: string; announcementId: string }[]; next: string | undefined }> {
  const [rows, [row]] = await Promise.all([db.query(DUE, [now, except]), db.query(NEXT, [now])]);
  return { rows, next: row?.next ?? undefined };
}
