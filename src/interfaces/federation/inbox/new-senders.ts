import { type Db, statement } from '#kernel/read.ts';

/** Actors of one site that may become known per day through their own activities. */
const PER_DAY = 5_000;
const COUNT = statement(
  'new_senders_count',
  `insert into durable.new_senders as n (site, day, senders) values ($1, $2::timestamptz at time zone 'utc', 1)
   on conflict (site, day) do update set senders = n.senders + 1 where n.senders < $3
   returning 1`,
);
const FORGET = statement(
  'new_senders_forget',
  `delete from durable.new_senders where day < (now() at time zone 'utc')::date - 1`,
);

/**
 * Counts an actor that is about to be stored because of its activity, at a time in ISO 8601. Returns false
 * once its site has reached the limit of the day, because the log keeps each actor forever.
 */
export const admitsNewSender = async (
  db: Db,
  site: string,
  now: string,
  perDay = PER_DAY,
): Promise<boolean> => (await db.query(COUNT, [site, now, perDay])).length > 0;

/** Removes the counts of past days. */
export async function forgetNewSenders(db: Db): Promise<void> {
  await db.query(FORGET);
}
