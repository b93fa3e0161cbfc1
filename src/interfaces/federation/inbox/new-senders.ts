import { statement, type Db } from '../../../kernel/read.ts';

/** Actors of one site that become known here in a day by what they send. */
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
 * Counts an actor that is about to become known because of what it sent, at a moment in ISO 8601. False where its site has sent enough
 * new ones that day: the log keeps each of them for good.
 */
export const admitsNewSender = async (
  db: Db,
  site: string,
  now: string,
  perDay = PER_DAY,
): Promise<boolean> => (await db.query(COUNT, [site, now, perDay])).length > 0;

/** Drops the counts of past days. */
export async function forgetNewSenders(db: Db): Promise<void> {
  await db.query(FORGET);
}
