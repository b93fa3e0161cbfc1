import { type Db, statement } from '#kernel/read.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';

/** An event that no other user caused: the notification comes from the account itself, as in Mastodon. */
const NOTICE = statement(
  'notifications_notice',
  `insert into notifications (account_id, id, type, from_account_id, status_id, created_at, filtered)
   select n.account_id, n.id, $4::text, n.account_id, 0, n.created_at, false
   from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) as n (account_id, id, created_at)
   join notification_people p on p.account_id = n.account_id and p.local`,
);

/** Notifies local accounts of events about them, which no policy filters. */
export async function notice(
  type: NotificationType,
  events: readonly { data: { account_id: string; id: string }; metadata: { time: string } }[],
  db: Db,
): Promise<void> {
  if (events.length === 0) return;
  await db.query(NOTICE, [
    events.map(({ data }) => data.account_id),
    events.map(({ data }) => data.id),
    events.map(({ metadata }) => metadata.time),
    type,
  ]);
}
