import { type Db, statement } from '#kernel/read.ts';

/** Rows per statement. */
const BATCH = 10_000;

/** A server that was down for so long does not return, and such old deliveries are stale. */
const DELIVERIES = statement(
  'federation_forget_deliveries',
  `delete from durable.federation_deliveries where (activity_id, inbox) in (
     select d.activity_id, d.inbox from durable.federation_activities a
     join durable.federation_deliveries d on d.activity_id = a.id
     where a.created_at < now() - interval '8 days' limit ${BATCH})
   returning 1`,
);
/**
 * Kept for a day after the last delivery, because of its key: an event that is repeated after a crash is not
 * sent again.
 */
const ACTIVITIES = statement(
  'federation_forget_activities',
  `delete from durable.federation_activities where id in (
     select a.id from durable.federation_activities a
     where a.created_at < now() - interval '1 day'
       and not exists (select from durable.federation_deliveries d where d.activity_id = a.id)
     limit ${BATCH})
   returning 1`,
);
const RECEIPTS = statement(
  'federation_forget_receipts',
  `delete from durable.federation_receipts where (status_id, inbox) in (
     select status_id, inbox from durable.federation_receipts
     where sent_at < now() - make_interval(days => $1) order by sent_at limit ${BATCH})
   returning 1`,
);

/** Kept for longer than an activity that they sign. */
const KEYS = statement(
  'federation_forget_retired_keys',
  `delete from durable.retired_actor_keys where retired_at < now() - interval '9 days'`,
);

/**
 * Deletes abandoned deliveries, delivered activities, and receipts older than `receiptDays`; and keys that no
 * longer sign any of them.
 */
export async function forgetOldDeliveries(db: Db, receiptDays: number): Promise<void> {
  await all(() => db.query(DELIVERIES));
  await all(() => db.query(ACTIVITIES));
  await all(() => db.query(RECEIPTS, [receiptDays]));
  await db.query(KEYS);
}

/** In batches, so that no statement locks many rows for long. */
async function all(next: () => Promise<unknown[]>): Promise<void> {
  while ((await next()).length === BATCH);
}
