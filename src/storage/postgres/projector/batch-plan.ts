import type { RecordedEvent } from '#kernel/event.ts';
import type { Handler } from '#kernel/projection.ts';

/** Events of one type that one call of its handler takes. */
export interface HandlerBatch {
  handler: Handler;
  events: RecordedEvent[];
}

/**
 * Cuts a batch into as few runs as the handlers' keys allow (see `Handler`). The result equals that of
 * applying the events one after another.
 */
export function planBatches(
  events: readonly RecordedEvent[],
  handlers: ReadonlyMap<string, Handler>,
): HandlerBatch[] {
  const mine = events.filter(({ type }) => handlers.has(type));
  const [only, ...others] = new Set(mine.map(({ type }) => handlers.get(type) as Handler));
  if (!only) return [];
  // There is nothing to separate, and the keys are the larger part of the work.
  if (others.length === 0 && only.keys && only.additive === true) return [{ handler: only, events: mine }];
  const runs: HandlerBatch[] = [];
  let open = new Map<Handler, number>();
  let uses = newUses();
  for (const event of mine) {
    const handler = handlers.get(event.type) as Handler;
    if (!handler.keys) {
      runs.push({ handler, events: [event] });
      open = new Map();
      uses = newUses();
      continue;
    }
    const keys = handler.keys(event);
    const reads = handler.reads?.(event) ?? [];
    const earliest = Math.max(
      earliestRun(keys, handler, runs, uses.last),
      earliestRun(reads, handler, runs, uses.lastChange),
    );
    let index = open.get(handler);
    if (index === undefined || index < earliest) {
      index = runs.push({ handler, events: [] }) - 1;
      open.set(handler, index);
    }
    runs[index]?.events.push(event);
    for (const key of keys) {
      uses.last.set(key, index);
      uses.lastChange.set(key, index);
    }
    for (const key of reads) uses.last.set(key, Math.max(index, uses.last.get(key) ?? 0));
  }
  return runs;
}

/** The last run of each key, and the last one that changes what the key stands for. */
const newUses = (): Record<'last' | 'lastChange', Map<string, number>> => ({
  last: new Map(),
  lastChange: new Map(),
});

function earliestRun(
  keys: readonly string[],
  handler: Handler,
  runs: readonly HandlerBatch[],
  lastRunOfKey: ReadonlyMap<string, number>,
): number {
  let earliest = 0;
  for (const key of keys) {
    const last = lastRunOfKey.get(key);
    if (last === undefined) continue;
    const mayShare = handler.additive === true && runs[last]?.handler === handler;
    earliest = Math.max(earliest, mayShare ? last : last + 1);
  }
  return earliest;
}
