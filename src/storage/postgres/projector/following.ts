import { setTimeout as sleep } from 'node:timers/promises';
import { lagsBehind } from '#storage/eventlog/lag.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import type { Checkpoints } from './checkpoints.ts';

/** Seconds that an event may wait for a group of projections before the group counts as halted. */
const PATIENCE = 60;
/** Milliseconds until the second check. */
const AGAIN = 500;

/**
 * Asserts that all groups of projections follow the log. A group does not when an event failed in it, or when
 * no process runs it: its oldest event then waits for a minute and is still the same at a second check,
 * because events may be older than their position suggests. Without the `needed` read models nearly no request
 * succeeds, so none of these is halted.
 * @throws Error with the names of the groups that stand still, and of needed read models that are halted
 */
export async function assertFollowing(
  checkpoints: Pick<Checkpoints, 'groups'>,
  log: Pick<EventLog, 'head' | 'readAll'>,
  needed: readonly string[] = [],
): Promise<void> {
  const groups = await checkpoints.groups();
  const failed = groups.filter((each) => each.failed).map(({ group }) => group);
  const lags = await lagsBehind(
    log,
    groups.map(({ position }) => position),
    Date.now(),
  );
  const late = groups.filter(
    (each, index) => !each.failed && !each.empty && (lags[index]?.seconds ?? 0) > PATIENCE,
  );
  const halted = groups.flatMap((each) => each.halted).filter((name) => needed.includes(name));
  const names = [...failed, ...halted, ...(late.length > 0 ? await standing(checkpoints, late) : [])];
  if (names.length > 0) throw new Error(`Standing still: ${names.join(', ')}`);
}

async function standing(
  checkpoints: Pick<Checkpoints, 'groups'>,
  late: Awaited<ReturnType<Checkpoints['groups']>>,
): Promise<string[]> {
  await sleep(AGAIN);
  const now = new Map((await checkpoints.groups()).map(({ group, position }) => [group, position]));
  return late.filter(({ group, position }) => now.get(group) === position).map(({ group }) => group);
}
