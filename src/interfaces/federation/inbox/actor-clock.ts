import { hash } from 'node:crypto';
import { statement, type Db } from '../../../kernel/read.ts';

const SAY = statement(
  'said_last_say',
  `insert into durable.said_last as known (digest, said_at) values ($1, $2)
   on conflict (digest) do update set said_at = excluded.said_at, noted_at = now()
   where known.said_at <= excluded.said_at
   returning 1`,
);
const BATCH = 10_000;
/** Servers try for some days to deliver what was not taken at once. */
const FORGET = statement(
  'said_last_forget',
  `delete from durable.said_last where digest in (
     select digest from durable.said_last where noted_at <= now() - interval '8 days' limit ${BATCH})
   returning 1`,
);

/**
 * Notes when an actor that is known here said what it is now, in ISO 8601; what it said before that comes too late. The same moment
 * again is not too late, for then it is the same once more.
 * @returns whether nothing newer was heard of it
 */
export const advanceActorClock = async (db: Db, actor: string, at: string): Promise<boolean> =>
  (await db.query(SAY, [hash('sha256', actor, 'buffer'), at])).length > 0;

/** Drops entries older than any retry of a delivery. */
export async function pruneActorClock(db: Db): Promise<void> {
  while ((await db.query(FORGET)).length === BATCH);
}
