import type { Instance } from '#kernel/context.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { PushTarget } from '#kernel/services/push.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { notificationShownTo } from '../visibility/notifications.ts';
import { NEWS } from './addressees.ts';

const follows = (account: string, target: string): string =>
  `exists (select from follows f where f.account_id = ${account} and f.target_account_id = ${target})`;
/** The end of the viewer's own poll has no actor. */
const POLICY = `(s.policy = 'all' or (s.policy <> 'none' and n.from_account_id = n.account_id)
  or (s.policy = 'followed' and ${follows('n.account_id', 'n.from_account_id')})
  or (s.policy = 'follower' and ${follows('n.from_account_id', 'n.account_id')}))`;

const PUSHABLE = statement<Row>(
  'push_pushable',
  `select s.id, s.endpoint, s.p256dh, s.secrets, s.standard, n.type, u.locale, a.body as account_body,
     n.from_account_id = n.account_id as own, st.spoiler_text, st.content
   from durable.push_subscriptions s
   join durable.access_tokens t on t.id = s.access_token_id and t.revoked_at is null
   join notifications n on n.account_id = s.account_id and n.id = $1
   join users u on u.account_id = s.account_id and u.confirmed and u.approved and not u.disabled and not u.suspended
   join accounts a on a.id = n.from_account_id
   left join statuses st on st.id = n.status_id
   where s.id = any($2::bigint[]) and n.type = any(s.alerts) and not n.filtered
     and n.created_at > now() - ${NEWS} and ${POLICY} and ${notificationShownTo('s.account_id')}
     and not exists (
       select from durable.push_deliveries d where d.push_subscription_id = s.id and d.notification_id = n.id)`,
);

/** A notification for one subscription. */
export interface Pushable {
  subscription_id: string;
  target: PushTarget;
  type: NotificationType;
  /** The recipient's locale. */
  locale: string;
  /** The actor, and whether the actor is the recipient. */
  from: { display_name: string; username: string; note: string; avatar_static: string };
  own: boolean;
  /** HTML. */
  status: { spoiler_text: string; content: string } | null;
}

interface Row extends PushTarget {
  id: string;
  type: NotificationType;
  locale: string;
  account_body: string;
  own: boolean;
  spoiler_text: string | null;
  /** Ready JSON. */
  content: string | null;
}

/**
 * Returns the subscriptions that still need this notification: their owners want it, may see it now, and did
 * not get it yet.
 */
export async function pushableTo(
  db: Db,
  notificationId: string,
  subscriptionIds: readonly string[],
  instance: Instance,
): Promise<Pushable[]> {
  const rows = await db.query(PUSHABLE, [notificationId, subscriptionIds]);
  const parsed = (text: string): unknown => JSON.parse(fillOrigins(text, instance));
  return rows.map(({ id, type, locale, account_body, own, spoiler_text, content, ...target }) => ({
    subscription_id: id,
    target,
    type,
    locale,
    from: parsed(`{${account_body}}`) as Pushable['from'],
    own,
    status:
      content === null ? null : { spoiler_text: spoiler_text ?? '', content: parsed(content) as string },
  }));
}
