import { notFound, RookeryError } from '../kernel/errors.ts';
import type { RecordedEvent } from '../kernel/event.ts';
import type { Projection } from '../kernel/projection.ts';
import { statement, type Db } from '../kernel/read.ts';
import type { ReadModel, ReadModels, ReadModelState, SkippedEvent } from '../kernel/services/read-models.ts';
import { eventAt } from '../storage/eventlog/find-event.ts';
import { eventsBehind, lagsBehind } from '../storage/eventlog/lag.ts';
import type { EventLog } from '../storage/eventlog/port.ts';
import { READ_MODELS } from '../storage/postgres/db.ts';
import type { Failure } from '../storage/postgres/failures.ts';
import type { Database } from '../storage/postgres/db.ts';
import { ReadModelRuns } from './read-model-runs.ts';
import { askProjectorsToRetry } from '../storage/postgres/projector.ts';
import { allSkips, removeSkip, storeSkip, type Skip } from '../storage/postgres/skips.ts';

const ALL = statement(
  'read_models_all',
  `select name, version, "group", position, halted, failure, built_at from durable.projections order by "group", name, version`,
);
const SIZES = statement(
  'read_models_sizes',
  `select c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes, greatest(c.reltuples, 0)::float8 as rows
   from pg_class c where c.relnamespace = to_regnamespace($1) and c.relname = any($2) order by c.relname`,
);

interface Row {
  name: string;
  version: number;
  group: string;
  position: string;
  halted: boolean;
  failure: Failure | null;
  built_at: string | null;
}

export interface ReadModelsOptions {
  db: Db;
  /** For builds. */
  projectionDb: Database;
  log: EventLog;
  projections: readonly Projection[];
}

/** The read models as their checkpoints and the log show them. */
export function createReadModels({ db, projectionDb, log, projections }: ReadModelsOptions): ReadModels {
  const runs = new ReadModelRuns({ db: projectionDb, log });
  const named = (name: string): Projection => {
    const projection = projections.find((each) => each.name === name);
    if (!projection) throw unknown(name, projections);
    return projection;
  };
  const list = async (): Promise<ReadModel[]> => {
    const [rows, skips] = await Promise.all([db.query<Row>(ALL), allSkips(db)]);
    return [...(await built(rows, skips, log)), ...notBuilt(rows, skips, projections)];
  };
  const found = (position: string): Promise<RecordedEvent | undefined> => eventAt(log, BigInt(position));
  return {
    list,
    show: async (name) => {
      const model = (await list()).findLast((each) => each.name === name);
      if (!model) throw unknown(name, projections);
      const tables = Object.keys(projections.find((each) => each.name === name)?.tables ?? {});
      const failed = model.failure === null || model.failure.event_id === '' ? undefined : model.failure;
      return {
        ...model,
        tables: await db.query<{ name: string; bytes: number; rows: number }>(SIZES, [READ_MODELS, tables]),
        event: failed ? ((await found(failed.position).catch(() => undefined)) ?? null) : null,
      };
    },
    eventAt: async (position) => {
      const event = await found(position);
      if (!event) throw notFound();
      return event;
    },
    retry: () => askProjectorsToRetry(db),
    rebuild: (name, signal) => runs.rebuild(named(name), signal),
    verify: (name, signal) => runs.verify(named(name), signal),
    storeSkip: (name, skip) => storeSkip(db, { name, ...skip }),
    removeSkip: (name, position) => removeSkip(db, name, position),
  };
}

/** Returns the read models that this program needs and that do not exist in its version. */
const notBuilt = (
  rows: readonly Row[],
  skips: readonly Skip[],
  projections: readonly Projection[],
): ReadModel[] =>
  projections
    .filter(({ name, version }) => !rows.some((row) => row.name === name && row.version === version))
    .map(({ name, version, group }) => ({
      name,
      version,
      group,
      position: '0',
      lag: { events: null, estimated: false, seconds: null },
      state: 'not_built',
      failure: null,
      built_at: null,
      skipped: skippedBy(name, skips),
    }));

async function built(
  rows: readonly Row[],
  skips: readonly Skip[],
  log: Pick<EventLog, 'readAll' | 'head'>,
): Promise<ReadModel[]> {
  const positions = rows.map(({ position }) => BigInt(position));
  const [lags, counts] = await Promise.all([
    lagsBehind(log, positions, Date.now()),
    eventsBehind(log, positions),
  ]);
  return rows.map(({ halted, failure, ...row }, index) => ({
    ...row,
    lag: {
      events: counts[index]?.events ?? null,
      estimated: counts[index]?.estimated ?? false,
      seconds: lags[index]?.seconds ?? null,
    },
    state: stateOf({ halted, failure }),
    failure: failure && partsOf(failure),
    skipped: skippedBy(row.name, skips),
  }));
}

function stateOf({ halted, failure }: Pick<Row, 'halted' | 'failure'>): ReadModelState {
  if (halted) return failure ? 'halted' : 'catching_up';
  return failure ? 'stopped' : 'following';
}

const partsOf = ({ position, event_id, event_type, error }: Failure): NonNullable<ReadModel['failure']> => ({
  position,
  event_id,
  event_type,
  error,
});

const skippedBy = (name: string, skips: readonly Skip[]): SkippedEvent[] =>
  skips.filter((skip) => skip.name === name).map(({ name: _, ...rest }) => rest);

function unknown(name: string, projections: readonly Projection[]): RookeryError {
  const known = projections.map((each) => each.name).join(', ');
  return new RookeryError('not_found', `There is no read model ${name}; there are ${known}`);
}
