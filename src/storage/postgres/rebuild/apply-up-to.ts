import type { RecordedEvent } from '#kernel/event.ts';
import type { Projection } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { applyBatch, handlersOf } from '../projector/apply.ts';
import type { EventSource } from '../projector/event-source.ts';
import { readSkips, withoutSkipped } from '../projector/skips.ts';

const BATCH = 2_000;

/** The part of the log that this uses. */
type Log = Pick<EventSource, 'readAll'>;

/** Reads a page of the events after a position, up to another one; an empty page at the end. */
export async function readUpTo(log: Log, after: bigint, until: bigint): Promise<RecordedEvent[]> {
  if (after >= until) return [];
  // Later events may have types that this version does not know.
  const most = until - after < BATCH ? Number(until - after) : BATCH;
  const events = await log.readAll(after, most, { keepUnreadable: true });
  return events.filter(({ position }) => position <= until);
}

/** Applies the events after a position up to another one, within a transaction. */
export async function applyUpTo(
  db: Db,
  {
    log,
    projections,
    position,
    until,
  }: { log: Log; projections: readonly Projection[]; position: bigint; until: bigint },
): Promise<void> {
  const skips = await readSkips(db);
  for (let after = position; after < until;) {
    const batch = await readUpTo(log, after, until);
    const last = batch.at(-1);
    if (!last) return;
    for (const each of projections)
      await applyBatch(handlersOf(each), withoutSkipped(skips, each.name, batch), db, { name: each.name });
    after = last.position;
  }
}
