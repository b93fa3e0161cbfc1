import type { NotificationType } from '../../src/mastodon/notification-types.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { placeInGroups } from './spans.ts';
import { verdictBy, VERDICTS } from '../notification-policy/verdict.ts';

/** An event by one account that may notify another one. */
export interface Arrival {
  account_id: string;
  /** The id of the event's object. */
  id: string;
  type: NotificationType;
  from_account_id: string;
  status_id: string | null;
  /** ISO 8601. */
  created_at: string;
  /** The thread of a private mention. */
  private_thread: string | null;
  position: bigint;
}

/** The request of a filtered notification has the id of the first one, whichever is inserted first. */
const ARRIVE = statement(
  'notifications_arrive',
  `with arrived as (
     insert into notifications (account_id, id, type, from_account_id, status_id, created_at, filtered)
     select n.account_id, n.id, n.type, n.from_account_id, n.status_id, n.created_at,
       v.verdict = ${VERDICTS.filter}
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::bigint[],
       $8::bigint[])
       as n (account_id, id, type, from_account_id, status_id, created_at, private_thread, position)
     join notification_people r on r.account_id = n.account_id and r.local
     left join notification_people f on f.account_id = n.from_account_id
     cross join lateral (select ${verdictBy('notification')} as verdict) v
     where v.verdict < ${VERDICTS.drop}
     on conflict do nothing
     returning account_id, from_account_id, id, created_at, filtered
   )
   , asked as (
   insert into notification_requests as q (account_id, from_account_id, id, created_at)
   select account_id, from_account_id, min(id), min(created_at) from arrived where filtered group by 1, 2
   on conflict (account_id, from_account_id) do update
     set id = excluded.id, created_at = least(q.created_at, excluded.created_at) where excluded.id < q.id
   )
   select account_id, id from arrived`,
);

/**
 * Inserts the notifications that the recipients' policies admit. Accounts are not notified of their own
 * events, and once of each event: for the first reason.
 */
export async function arrive(arrivals: readonly Arrival[], db: Db): Promise<void> {
  const first = new Map<string, Arrival>();
  for (const arrival of arrivals) {
    const key = `${arrival.account_id} ${arrival.id}`;
    if (arrival.account_id !== arrival.from_account_id && !first.has(key)) first.set(key, arrival);
  }
  if (first.size === 0) return;
  const rows = [...first.values()];
  const arrived = await db.query<{ account_id: string; id: string }>(ARRIVE, [
    rows.map(({ account_id }) => account_id),
    rows.map(({ id }) => id),
    rows.map(({ type }) => type),
    rows.map(({ from_account_id }) => from_account_id),
    rows.map(({ status_id }) => status_id ?? '0'),
    rows.map(({ created_at }) => created_at),
    rows.map(({ private_thread }) => private_thread),
    rows.map(({ position }) => position.toString()),
  ]);
  const there = new Set(arrived.map(({ account_id, id }) => `${account_id} ${id}`));
  await placeInGroups(
    rows
      .filter(({ account_id, id }) => there.has(`${account_id} ${id}`))
      .map((row) => ({ ...row, status_id: row.status_id ?? '0' })),
    db,
  );
}
