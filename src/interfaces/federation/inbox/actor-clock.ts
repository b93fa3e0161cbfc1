import { hash } from 'node:crypto';
import { type Db, statement } from '#kernel/read.ts';

const SAY = statement(
  'said_last_say',
  `insert into durable.said_last as known (digest, said_at) values ($1, $2)
   on conflict (digest) do update set said_at = excluded.said_at, noted_at = now()
   where known.said_at <= excluded.said_at
   returning 1`,
);
const BATCH = 10_000;
/** Servers retry a delivery for some days. */
const FORGET = statement(
  'said_last_forget',
  `delete from durable.said_last where digest in (
     select digest from durable.said_last where noted_at <= now() - interval '8 days' limit ${BATCH})
   returning 1`,
);

/**
 * Records the time of an update of a known actor, in ISO 8601. Returns false if a later update was applied
 * before. An equal time is accepted, because the same update may arrive twice.
 */
export const advanceActorClock = async (db: Db, actor: string, at: string): Promise<boolean> =>
  (await db.query(SAY, [hash('sha256', actor, 'buffer'), at])).length > 0;

/** Deletes entries older than any retry of a delivery. */
export async function pruneActorClock(db: Db): Promise<void> {
  while ((await db.query(FORGET)).length === BATCH);
}
