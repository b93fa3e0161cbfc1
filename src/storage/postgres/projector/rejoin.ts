import type { Projection } from '#kernel/projection.ts';
import type { Database } from '../db.ts';
import { isConnectionError } from '../outage.ts';
import { applyUpTo, readUpTo } from '../rebuild/apply-up-to.ts';
import { EventApplier } from './event-applier.ts';
import type { EventSource } from './event-source.ts';
import type { GroupMembers, Member } from './group-members.ts';
import type { Skips } from './skips.ts';

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

/**
 * Lets a halted projection catch up with its group, which goes on meanwhile, and join it again.
 * @throws Rejected when it rejects an event once more
 */
export async function rejoin(options: RejoinOptions): Promise<void> {
  const position = await catchUp(options, options.position);
  if (position === undefined) return;
  try {
    await join(options, position);
  } catch (error) {
    if (isConnectionError(error)) throw error;
    // An event that came meanwhile: alone it is named.
    await catchUp(options, position);
    throw error;
  }
}

/** @returns the new position; undefined when another process has moved it */
async function catchUp(options: RejoinOptions, from: bigint): Promise<bigint | undefined> {
  const { projection, members, skips, db, log, signal } = options;
  const applier = new EventApplier({
    members,
    projections: [projection],
    db,
    skips,
    onCommitted: () => undefined,
  });
  for (let position = from; ;) {
    const end = await positionOf(await members.read(), log);
    const page = await readUpTo(log, position, end);
    if (page.length === 0) return position;
    signal.throwIfAborted();
    const next = await applier.take(position, page);
    if (next === undefined) return undefined;
    position = next;
  }
}

/** The group cannot move meanwhile, and has little lead. */
async function join({ projection, members, db, log }: RejoinOptions, position: bigint): Promise<void> {
  await db.transaction(async (transaction) => {
    const all = await members.lock(transaction);
    const here = all.find((each) => each.projection.name === projection.name);
    if (!here?.halted || here.position !== position) return;
    const end = await positionOf(all, log);
    await applyUpTo(transaction, { log, projections: [projection], position, until: end });
    await members.join(transaction, projection, position > end ? position : end);
  });
}

/** Returns the position of the members that are not halted; without any, the head of the log. */
const positionOf = async (members: readonly Member[], log: Pick<EventSource, 'head'>): Promise<bigint> => {
  const following = members.filter(({ halted }) => !halted).map(({ position }) => position);
  return following.length === 0 ? log.head() : following.reduce((a, b) => (a > b ? a : b));
};
