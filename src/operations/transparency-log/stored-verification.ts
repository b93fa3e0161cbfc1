import { type Db, statement } from '#kernel/read.ts';

/** The result of the last verification of the whole log. */
export interface StoredVerification {
  /** ISO 8601. */
  finishedAt: string;
  events: number;
  position: bigint;
  problem: string | undefined;
}

const READ = statement<{ finished_at: string; events: string; position: string; problem: string | null }>(
  'log_verifications_read',
  'select finished_at, events, position, problem from durable.log_verifications',
);
const STORE = statement(
  'log_verifications_store',
  `insert into durable.log_verifications (finished_at, events, position, problem) values (now(), $1, $2, $3)
   on conflict (is_only) do update set finished_at = excluded.finished_at, events = excluded.events,
     position = excluded.position, problem = excluded.problem`,
);

export async function storedVerification(db: Db): Promise<StoredVerification | undefined> {
  const [row] = await db.query(READ);
  return (
    row && {
      finishedAt: row.finished_at,
      events: Number(row.events),
      position: BigInt(row.position),
      problem: row.problem ?? undefined,
    }
  );
}

export async function storeVerification(
  db: Db,
  { events, position, problem }: Omit<StoredVerification, 'finishedAt'>,
): Promise<void> {
  await db.query(STORE, [events, String(position), problem ?? null]);
}
