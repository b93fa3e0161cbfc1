import type { RecordedEvent } from '../../kernel/event.ts';
import { statement, type Db } from '../../kernel/read.ts';

/** An event that a read model leaves out, by an operator's decision. */
export interface Skip {
  name: string;
  position: string;
  event_id: string;
  event_type: string;
  reason: string;
  skipped_at: string;
}

/** The positions that each read model leaves out, by its name. Nearly always empty. */
export type Skips = ReadonlyMap<string, ReadonlySet<bigint>>;

const ALL = statement(
  'projection_skips_all',
  `select name, position, event_id, event_type, reason, skipped_at from durable.projection_skips order by name, position`,
);
const SKIP = statement(
  'projection_skips_insert',
  `insert into durable.projection_skips (name, position, event_id, event_type, reason) values ($1, $2, $3, $4, $5)
   on conflict (name, position) do update set reason = excluded.reason, skipped_at = now()`,
);
const UNSKIP = statement(
  'projection_skips_delete',
  'delete from durable.projection_skips where name = $1 and position = $2 returning position',
);

export const allSkips = (db: Db): Promise<Skip[]> => db.query<Skip>(ALL);

export async function readSkips(db: Db): Promise<Skips> {
  const byName = Map.groupBy(await allSkips(db), ({ name }) => name);
  return new Map(
    [...byName].map(([name, skips]) => [name, new Set(skips.map(({ position }) => BigInt(position)))]),
  );
}

export async function storeSkip(db: Db, skip: Omit<Skip, 'skipped_at'>): Promise<void> {
  await db.query(SKIP, [skip.name, skip.position, skip.event_id, skip.event_type, skip.reason]);
}

/** @returns whether the event was skipped */
export async function removeSkip(db: Db, name: string, position: string): Promise<boolean> {
  return (await db.query(UNSKIP, [name, position])).length > 0;
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
