import { type Db, statement } from '#kernel/read.ts';
import { batch } from '#kernel/table/index.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';
import { verdictBy, VERDICTS } from '../notification-policy/verdict.ts';
import { groupsFor } from './spans.ts';
import { NOTIFICATIONS, REQUESTS } from './tables.ts';

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

/** The keys that the verdict about an arrival depends on: those of both accounts, and of their follows. */
export const keysOfVerdict = (recipient: string, sender: string): string[] => [
  recipient,
  sender,
  followKey(recipient, sender),
  followKey(sender, recipient),
];
export const followKey = (follower: string, followed: string): string => `${follower} follows ${followed}`;
/** The key of the followers of an account who want to be notified of its posts. */
export const subscribersKey = (accountId: string): string => `subscribers of ${accountId}`;

const INSERT = NOTIFICATIONS.insert();
/** The verdicts about arrivals at local accounts that are not there yet; `n` is the place of an arrival, from 1. */
const JUDGE = statement<{ place: number; filtered: boolean }>(
  'notifications_judge',
  `select n.place::int as place, v.verdict = ${VERDICTS.filter} as filtered
   from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::timestamptz[], $6::bigint[], $7::bigint[])
     with ordinality
     as n (account_id, id, type, from_account_id, created_at, private_thread, position, place)
   join notification_people r on r.account_id = n.account_id and r.local
   left join notification_people f on f.account_id = n.from_account_id
   cross join lateral (select ${verdictBy('notification')} as verdict) v
   where v.verdict < ${VERDICTS.drop}
     and not exists (select from notifications t where t.account_id = n.account_id and t.id = n.id)`,
);
/** The request of filtered notifications has the id of the first one, whichever is inserted first. */
const REQUEST = batch(
  'notification_requests_insert',
  REQUESTS.columns,
  (rows) => `insert into notification_requests as q (account_id, from_account_id, id, created_at)
   select account_id, from_account_id, min(id), min(created_at)
   from ${rows}
   group by 1, 2
   on conflict (account_id, from_account_id) do update
     set id = excluded.id, created_at = least(q.created_at, excluded.created_at) where excluded.id < q.id`,
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
  const rows = [...first.values()].map((row) => ({ ...row, status_id: row.status_id ?? '0' }));
  const [judged, groups] = await Promise.all([judge(rows, db), groupsFor(rows, db)]);
  const there = rows.flatMap((row, index) => {
    const filtered = judged.get(index + 1);
    return filtered === undefined ? [] : [{ ...row, filtered }];
  });
  if (there.length === 0) return;
  const spans = groups.spansOf(there);
  const requested = there.filter(({ filtered }) => filtered);
  await Promise.all([
    INSERT.from(
      there.map((row, index) => ({ ...row, span: spans[index] })),
      db,
    ),
    REQUEST.from(requested, db),
    groups.store(db),
  ]);
}

/** Returns whether each admitted arrival is filtered, by its place from 1. */
async function judge(rows: readonly Arrival[], db: Db): Promise<Map<number, boolean>> {
  const judged = await db.query(JUDGE, [
    rows.map(({ account_id }) => account_id),
    rows.map(({ id }) => id),
    rows.map(({ type }) => type),
    rows.map(({ from_account_id }) => from_account_id),
    rows.map(({ created_at }) => created_at),
    rows.map(({ private_thread }) => private_thread),
    rows.map(({ position }) => position.toString()),
  ]);
  return new Map(judged.map(({ place, filtered }) => [place, filtered]));
}
