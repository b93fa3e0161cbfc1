import type { RecordedEvent } from '#kernel/event.ts';
import { type Db, statement } from '#kernel/read.ts';

/** An event that a read model leaves out, by an operator's decision. */
export interface Skip {
  name: string;
  position: string;
  event_id: string;
  event_type: string;
  reason: string;
  skipped_at: string;
  /** When it was decided to take the event again, with the next rebuild; null while it is left out. */
  unskipped_at: string | null;
}

/** The positions that each read model leaves out, by its name. Nearly always empty. */
export type Skips = ReadonlyMap<string, ReadonlySet<bigint>>;

const ALL = statement<Skip>(
  'projection_skips_all',
  `select name, position, event_id, event_type, reason, skipped_at, unskipped_at
   from durable.projection_skips order by name, position`,
);
const SKIP = statement(
  'projection_skips_insert',
  `insert into durable.projection_skips (name, position, event_id, event_type, reason) values ($1, $2, $3, $4, $5)
   on conflict (name, position) do update set reason = excluded.reason, skipped_at = now(), unskipped_at = null`,
);
const UNSKIP = statement<{ position: string }>(
  'projection_skips_delete',
  `update durable.projection_skips set unskipped_at = now()
   where name = $1 and position = $2 and unskipped_at is null returning position`,
);
const TAKEN = statement(
  'projection_skips_taken',
  'delete from durable.projection_skips where name = $1 and unskipped_at < $2',
);

/** Returns what read models leave out, and what they lack until they are rebuilt. */
export const allSkips = (db: Db): Promise<Skip[]> => db.query(ALL);

/** Tells whether the event is left out for good, and not only until the next rebuild. */
export const isLeftOut = ({ unskipped_at }: Skip): boolean => unskipped_at === null;

export async function readSkips(db: Db): Promise<Skips> {
  const byName = Map.groupBy((await allSkips(db)).filter(isLeftOut), ({ name }) => name);
  return new Map(
    [...byName].map(([name, skips]) => [name, new Set(skips.map(({ position }) => BigInt(position)))]),
  );
}

export async function storeSkip(db: Db, skip: Omit<Skip, 'skipped_at' | 'unskipped_at'>): Promise<void> {
  await db.query(SKIP, [skip.name, skip.position, skip.event_id, skip.event_type, skip.reason]);
}

/** Lets the next rebuild take the event again. @returns whether it was skipped */
export async function removeSkip(db: Db, name: string, position: string): Promise<boolean> {
  return (await db.query(UNSKIP, [name, position])).length > 0;
}

/** A build of the read model that began then, ISO 8601, has taken the events that were no longer skipped. */
export async function noteTaken(db: Db, name: string, begun: string): Promise<void> {
  await db.query(TAKEN, [name, begun]);
}

/** Returns the events that the read model takes. */
export function withoutSkipped(
  skips: Skips,
  name: string,
  events: readonly RecordedEvent[],
): readonly RecordedEvent[] {
  const skipped = skips.get(name);
  return skipped ? events.filter(({ position }) => !skipped.has(position)) : events;
}
