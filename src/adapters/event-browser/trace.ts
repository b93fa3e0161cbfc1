import type { Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { EventTrace, FailedReaction, ReadModelOfTrace } from '#kernel/services/event-browser.ts';
import type { EventStore, StoredEvent } from '#storage/eventlog/port.ts';
import { lookedAt } from './looked.ts';
import { matcher } from './pages.ts';

/** Events that are looked through at a time. Most of what follows from a request comes within seconds. */
export const TRACE_SPAN = 10_000;
/** The part of them that precedes the event from which the trace was opened. */
const BEFORE = 2_000;

/** The most events of one look: an import of a file has many more. */
const MOST = 500;

/** The state of a read model, from `durable.projections`. */
interface Model {
  name: string;
  version: number;
  position: string;
  failed: boolean;
}

const MODELS = statement<Model>(
  'trace_read_models',
  'select name, version, position, failure is not null as failed from durable.projections',
);
const FAILURES = statement<FailedReaction>(
  'trace_failures',
  `select reactor, event_id, event_type, error, set_aside_at as failed_at from durable.set_aside_events
   where event_id = any($1::uuid[]) order by position, reactor limit 100`,
);

/** Collects the stored events of a correlation id in the order of the log, and says where it looked. */
export async function collect(
  store: EventStore,
  correlation: string,
  { near, before }: { near?: bigint | undefined; before?: bigint | undefined },
): Promise<{ events: StoredEvent[]; looked: EventTrace['looked'] }> {
  const back = await store.readBack(near ?? before, near === undefined ? TRACE_SPAN : BEFORE);
  const forward =
    near === undefined
      ? []
      : [...((await found(store, near)) ?? []), ...(await store.readAll(near, TRACE_SPAN - BEFORE))];
  const all = [...back.toReversed(), ...forward];
  const events = all.filter(matcher({ types: [], correlation }));
  const next = events[MOST];
  if (!next) return { events, looked: lookedAt(all) };
  return { events: events.slice(0, MOST), looked: lookedAt(all.slice(0, all.indexOf(next))) };
}

async function found(store: EventStore, position: bigint): Promise<StoredEvent[] | undefined> {
  const event = await store.find(position);
  return event && [event];
}

/** Returns the read models that handle any of the events, and how far each is. */
export async function readModelsOf(
  events: readonly Pick<StoredEvent, 'type' | 'position'>[],
  projections: readonly Projection[],
  db: Db,
): Promise<ReadModelOfTrace[]> {
  const models = await db.query(MODELS);
  return projections.flatMap(({ name, version, group, handlers }) => {
    const types = new Set(handlers.map(({ type }) => type));
    const taken = events.filter(({ type }) => types.has(type)).map(({ position }) => position);
    if (taken.length === 0) return [];
    const model = models.find((each) => each.name === name && each.version === version);
    const state = stateOf(model, taken.at(-1) ?? 0n);
    return [{ name, group, takes: taken.map(String), position: model?.position ?? null, state }];
  });
}

function stateOf(model: Model | undefined, last: bigint): ReadModelOfTrace['state'] {
  if (!model) return 'not_built';
  if (BigInt(model.position) >= last) return 'contains_them';
  return model.failed ? 'halted' : 'behind';
}

/** Returns the reactions to these events that were given up, at most a hundred. */
export const failuresOf = (events: readonly Pick<StoredEvent, 'id'>[], db: Db): Promise<FailedReaction[]> =>
  db.query(FAILURES, [events.map(({ id }) => id)]);
