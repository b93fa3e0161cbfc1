import type { RequestContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import type { JsonPieces } from '#kernel/json-pieces.ts';
import { type Db, statement } from '#kernel/read.ts';
import { ACCOUNT_STATS } from '../entities/account.ts';
import { notificationShownTo } from '../visibility/notifications.ts';
import { NOTIFICATION_COLUMNS, type NotificationRow, notificationTexts } from './entity.ts';

/** A cause of notifications. */
export interface Happening {
  /** The id of its notifications. */
  id: Id;
  /** The only recipient, if the event names one; otherwise null. */
  to: Id | null;
}

/** A notification for one viewer, before it is rendered. */
export interface Arrived extends NotificationRow {
  reader_id: Id;
}

/** As `GET /api/v1/notifications` shows them: without those that the viewer's policy filters. */
const ARRIVED = statement<Arrived>(
  'notifications_arrived',
  `select n.account_id as reader_id, ${NOTIFICATION_COLUMNS}
   from unnest((select $1::bigint[]), (select $2::bigint[])) as happened (id, account_id)
   join unnest((select $3::bigint[])) as listening (id)
     on happened.account_id is null or happened.account_id = listening.id
   join notifications n on n.account_id = listening.id and n.id = happened.id
   join accounts a on a.id = n.from_account_id ${ACCOUNT_STATS}
   where not n.filtered and ${notificationShownTo('n.account_id')} order by n.id`,
);

/** Returns the notifications of some viewers about an event, in one statement. */
export const arrivedNotifications = (
  db: Db,
  happenings: readonly Happening[],
  readers: readonly Id[],
): Promise<Arrived[]> =>
  db.query(ARRIVED, [happenings.map(({ id }) => id), happenings.map(({ to }) => to), readers]);

/** Returns one of them as JSON, for its viewer; undefined when its status was hidden a moment ago. */
export async function arrivedText(ctx: RequestContext, arrived: Arrived): Promise<JsonPieces | undefined> {
  const [text] = await notificationTexts(ctx, [arrived]);
  return text;
}
