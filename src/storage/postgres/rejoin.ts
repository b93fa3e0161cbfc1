import type { RecordedEvent } from '../../kernel/event.ts';
import type { Projection } from '../../kernel/projection.ts';
import { applyBatch, handlersOf } from './apply.ts';
import type { Database } from './db.ts';
import { EventApplier } from './event-applier.ts';
import type { GroupMembers, Member } from './group-members.ts';
import type { EventSource } from './event-source.ts';
import { withoutSkipped, type Skips } from './skips.ts';

export interface RejoinOptions {
  projection: Projection;
  /** The position of its checkpoint. */
  position: bigint;
  members: GroupMembers;
  skips: Skips;
  db: Database;
  log: Pick<EventSource, 'readAll' | 'head'>;
  signal: AbortSignal;
}

const BATCH = 1_000;

/**
 * Lets a halted projection catch up with its group, which goes on meanwhile, and join it again.
 * @throws Rejected when it rejects an event once more
 */
export async function rejoin(options: RejoinOptions): Promise<void> {
  const { projection, members, skips, db, log, signal } = options;
  const applier = new EventApplier({
    members,
    projections: [projection],
    db,
    skips,
    onCommitted: () => undefined,
  });
  let { position } = options;
  for (;;) {
    const end = await positionOf(await members.read(), log);
    const page = await upTo(log, position, end);
    if (page.length === 0) break;
    signal.throwIfAborted();
    const next = await applier.take(position, page);
    // Another process has moved it.
    if (next === undefined) return;
    position = next;
  }
  await db.transaction(async (transaction) => {
    // The group cannot move now, and has little lead.
    const all = await members.lock(transaction);
    const here = all.find((each) => each.projection.name === projection.name);
    if (!here?.halted || here.position !== position) return;
    const end = await positionOf(all, log);
    for (let page = await upTo(log, position, end); page.length > 0; page = await upTo(log, position, end)) {
      await applyBatch(handlersOf(projection), withoutSkipped(skips, projection.name, page), transaction);
      position = page.at(-1)?.position ?? end;
    }
    await members.join(transaction, projection, position > end ? position : end);
  });
}

/** Returns the position of the members that are not halted; without any, the head of the log. */
const positionOf = async (members: readonly Member[], log: Pick<EventSource, 'head'>): Promise<bigint> => {
  const following = members.filter(({ halted }) => !halted).map(({ position }) => position);
  return following.length === 0 ? log.head() : following.reduce((a, b) => (a > b ? a : b));
};

async function upTo(
  log: Pick<EventSource, 'readAll'>,
  after: bigint,
  end: bigint,
): Promise<readonly RecordedEvent[]> {
  if (after >= end) return [];
  const page = await log.readAll(after, end - after < BATCH ? Number(end - after) : BATCH);
  return page.filter(({ position }) => position <= end);
}
