import { notFound, RookeryError } from '#kernel/errors.ts';
import type { Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { ReadModel, ReadModelDetails, ReadModels } from '#kernel/services/read-models.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { type Database, READ_MODELS } from '#storage/postgres/db.ts';
import { askProjectorsToRetry } from '#storage/postgres/projector/projector.ts';
import { allSkips, removeSkip, storeSkip } from '#storage/postgres/projector/skips.ts';
import { noteOfBuild } from '#storage/postgres/rebuild/build-progress.ts';
import { presentRates, ratesOf } from '#storage/postgres/rebuild/projection-rates.ts';
import { cancelRun, listRuns } from '#storage/postgres/rebuild/projection-runs.ts';
import { runOf } from './projection-run.ts';
import { ReadModelRuns } from './read-model-runs.ts';
import { built, type CheckpointRow, notBuilt } from './read-model-states.ts';

const ALL = statement<CheckpointRow>(
  'read_models_all',
  `select name, version, "group", position, halted, failure, last_try, built_at, build_seconds, tables_digest, handlers_digest,
     ${noteOfBuild('name')} as build
   from durable.projections order by "group", name, version`,
);
const SIZES = statement<TableSize>(
  'read_models_sizes',
  `select c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes, greatest(c.reltuples, 0)::float8 as rows
   from pg_class c where c.relnamespace = to_regnamespace($1) and c.relname = any($2) order by c.relname`,
);

interface TableSize {
  name: string;
  bytes: number;
  rows: number;
}

export interface ReadModelsOptions {
  db: Db;
  /** For builds. */
  projectionDb: Database;
  log: EventLog;
  projections: readonly Projection[];
  halted: () => readonly string[];
}

/** The read models as their checkpoints and the log show them. */
export function createReadModels({
  db,
  projectionDb,
  log,
  projections,
  halted,
}: ReadModelsOptions): ReadModels & { close: () => Promise<void> } {
  const runs = new ReadModelRuns({ db: projectionDb, log });
  const named = (name: string): Projection => {
    const projection = projections.find((each) => each.name === name);
    if (!projection) throw unknown(name, projections);
    return projection;
  };
  return {
    halted,
    list: () => listModels(db, log, projections),
    show: (name) => showModel({ db, log, projections }, name),
    retry: () => askProjectorsToRetry(db),
    startRun: async ({ id, name, kind }) => {
      const projection = named(name);
      const [already] = await listRuns(db, { id, limit: 1 });
      if (already) return;
      const rows = await db.query(ALL);
      const isBuilt = rows.some((row) => row.name === name && row.version === projection.version);
      await runs.start(projection, { id, kind, isBuilt });
    },
    runs: async ({ name, limit }) => (await listRuns(db, { name, limit })).map(runOf),
    run: async (id) => {
      const [row] = await listRuns(db, { id, limit: 1 });
      if (!row) throw notFound();
      return runOf(row);
    },
    cancelRun: (id) => cancelRun(db, id),
    storeSkip: (name, skip) => storeSkip(db, { name, ...skip }),
    removeSkip: (name, position) => removeSkip(db, name, position),
    close: () => runs.close(),
  };
}

async function listModels(db: Db, log: EventLog, projections: readonly Projection[]): Promise<ReadModel[]> {
  const [models, sizes, rates] = await Promise.all([
    states(db, log, projections),
    sizesOf(db, projections),
    presentRates(db),
  ]);
  return models.map((model) => ({
    ...model,
    bytes: total(tablesOf(projections, model.name, sizes)),
    events_per_second: rates.get(model.name) ?? null,
  }));
}

async function showModel(
  { db, log, projections }: Pick<ReadModelsOptions, 'db' | 'log' | 'projections'>,
  name: string,
): Promise<ReadModelDetails> {
  const [models, sizes, rates] = await Promise.all([
    states(db, log, projections),
    sizesOf(db, projections),
    ratesOf(db, name),
  ]);
  const model = models.findLast((each) => each.name === name);
  if (!model) throw unknown(name, projections);
  const { failure } = model;
  const halting = failure === null || failure.event_id === '' ? undefined : BigInt(failure.position);
  const event = halting === undefined ? undefined : await log.find(halting).catch(() => undefined);
  const tables = tablesOf(projections, name, sizes);
  return {
    ...model,
    bytes: total(tables),
    events_per_second: rates.at(-1)?.events_per_second ?? null,
    rates,
    tables,
    event: event ?? null,
  };
}

type State = Omit<ReadModel, 'bytes' | 'events_per_second'>;

async function states(db: Db, log: EventLog, projections: readonly Projection[]): Promise<State[]> {
  const [rows, skips] = await Promise.all([db.query(ALL), allSkips(db)]);
  return [...(await built(rows, { skips, log, projections })), ...notBuilt(rows, skips, projections)];
}

const sizesOf = (db: Db, projections: readonly Projection[]): Promise<TableSize[]> =>
  db.query(SIZES, [READ_MODELS, projections.flatMap(({ tables }) => Object.keys(tables))]);

const tablesOf = (
  projections: readonly Projection[],
  name: string,
  sizes: readonly TableSize[],
): TableSize[] => {
  const tables = projections.find((each) => each.name === name)?.tables ?? {};
  return sizes.filter((size) => Object.hasOwn(tables, size.name));
};

const total = (tables: readonly TableSize[]): number => tables.reduce((sum, { bytes }) => sum + bytes, 0);

function unknown(name: string, projections: readonly Projection[]): RookeryError {
  const known = projections.map((each) => each.name).join(', ');
  return new RookeryError('not_found', `There is no read model ${name}; there are ${known}`);
}
