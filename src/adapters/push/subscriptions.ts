import { notFound } from '#kernel/errors.ts';
import type { Notifications } from '#kernel/listening.ts';
import { statement } from '#kernel/read.ts';
import type { PushSubscriptions } from '#kernel/services/push.ts';
import type { Database } from '#storage/postgres/db.ts';
import { FollowedRows } from '#storage/postgres/projector/followed-rows.ts';
import type { SecretBox } from './secrets.ts';

/** Announces a new subscription. */
const CHANNEL = 'rookery_push';
/** Failures in a row after which a subscription is deleted. */
const MAX_FAILURES = 20;

const ANY = statement<{ any: boolean }>(
  'push_any',
  'select exists (select from durable.push_subscriptions) as any',
);
/**
 * Deletes the app's earlier subscription, and that of an app that signed in again without signing out, which
 * would get each message twice.
 */
const DELETE_EARLIER = statement(
  'push_delete_earlier',
  `delete from durable.push_subscriptions where access_token_id = $1 or (account_id = $2 and endpoint = $3)`,
);
/** The lock waits for a concurrent revocation, which would otherwise miss this subscription. */
const INSERT = statement(
  'push_insert',
  `with token as (
     select id, account_id from durable.access_tokens where id = $1 and revoked_at is null for update
   ), told as (
     select pg_notify('${CHANNEL}', '')
   )
   insert into durable.push_subscriptions
     (access_token_id, account_id, endpoint, p256dh, secrets, standard, alerts, policy)
   select token.id, token.account_id, $2, $3, $4, $5, $6, $7 from token, told`,
);
const CHANGE = statement<{ id: string }>(
  'push_change',
  `update durable.push_subscriptions set alerts = coalesce($2::text[], alerts), policy = coalesce($3, policy)
   where access_token_id = $1 returning id`,
);
const REMOVE = statement('push_remove', 'delete from durable.push_subscriptions where access_token_id = $1');
const RECOVERED = statement(
  'push_recovered',
  'update durable.push_subscriptions set failures = 0, failed_at = null where id = any($1::bigint[]) and failures > 0',
);
/** Skips subscriptions that were deleted in the meantime. */
const SENT = statement(
  'push_sent',
  `insert into durable.push_deliveries (push_subscription_id, notification_id)
   select id, $2 from durable.push_subscriptions where id = any($1::bigint[]) for key share
   on conflict do nothing`,
);
/** Longer than a notification is pushed for. */
const FORGET_SENT = statement(
  'push_forget_sent',
  `delete from durable.push_deliveries where (push_subscription_id, notification_id) in (
     select push_subscription_id, notification_id from durable.push_deliveries
     where sent_at < now() - interval '4 days' limit 100)`,
);
const GONE = statement('push_gone', 'delete from durable.push_subscriptions where id = any($1::bigint[])');
/**
 * Each refusal counts. Failures of an unreachable service count once an hour, or an outage would end the
 * subscriptions of busy users.
 */
const FAILED = statement(
  'push_failed',
  `with counted as (
     select id, failures from durable.push_subscriptions
     where id = any($1::bigint[]) or (id = any($2::bigint[]) and coalesce(failed_at < now() - interval '1 hour', true))
     for update
   ), given_up as (
     delete from durable.push_subscriptions s using counted
     where s.id = counted.id and counted.failures >= ${MAX_FAILURES - 1}
   )
   update durable.push_subscriptions s set failures = counted.failures + 1, failed_at = now() from counted
   where s.id = counted.id and counted.failures < ${MAX_FAILURES - 1}`,
);

export interface ListeningPushSubscriptions extends PushSubscriptions {
  /** Learns of subscriptions that other processes store. */
  listen(notifications: Notifications): Promise<void>;
  close(): Promise<void>;
}

/** Creates subscriptions in Postgres (the migration says why they are not in the log). */
export function createPushSubscriptions(db: Database, box: SecretBox): ListeningPushSubscriptions {
  // With subscriptions, each lookup is a statement; without any, posting costs nothing more.
  let none = false;
  const rows = new FollowedRows(async () => {
    none = (await db.query(ANY))[0]?.any !== true;
  });

  return {
    get none() {
      return none;
    },
    listen: (notifications) => rows.listen(notifications, CHANNEL),
    close: () => rows.close(),
    async create({ tokenId, accountId }, { endpoint, p256dh, auth, standard, alerts, policy, bearer }) {
      await db.transaction(async (transaction) => {
        await transaction.query(DELETE_EARLIER, [tokenId, accountId, endpoint]);
        const secrets = box.seal({ auth, bearer });
        await transaction.query(INSERT, [tokenId, endpoint, p256dh, secrets, standard, alerts, policy]);
      });
      none = false;
    },
    async change(tokenId, { alerts, policy }) {
      const changed = await db.query(CHANGE, [tokenId, alerts ?? null, policy ?? null]);
      if (changed.length === 0) throw notFound();
    },
    async remove(tokenId) {
      await db.query(REMOVE, [tokenId]);
    },
    async record(notificationId, { sent, gone, refused, failed }) {
      await Promise.all([
        ...(sent.length > 0
          ? [db.query(SENT, [sent, notificationId]), db.query(RECOVERED, [sent]), db.query(FORGET_SENT)]
          : []),
        gone.length > 0 && db.query(GONE, [gone]),
        refused.length + failed.length > 0 && db.query(FAILED, [refused, failed]),
      ]);
    },
  };
}
