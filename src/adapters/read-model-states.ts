import type { Projection } from '#kernel/projection.ts';
import type {
  BuiltBy,
  LackedEvent,
  LastTry,
  ReadModel,
  ReadModelState,
  SkippedEvent,
} from '#kernel/services/read-models.ts';
import { behind, UNREADABLE } from '#storage/eventlog/lag.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import type { Failure } from '#storage/postgres/projector/failures.ts';
import { isLeftOut, type Skip } from '#storage/postgres/projector/skips.ts';
import type { BuildNote } from '#storage/postgres/rebuild/build-progress.ts';
import { tablesDigest } from '#storage/postgres/rebuild/tables-digest.ts';

/** The checkpoint of a read model. */
export interface CheckpointRow {
  name: string;
  version: number;
  group: string;
  position: string;
  halted: boolean;
  failure: Failure | null;
  last_try: LastTry | null;
  built_at: string | null;
  build_seconds: number | null;
  /** Null where the version that built it recorded none. */
  tables_digest: string | null;
  handlers_digest: string | null;
  build: BuildNote | null;
}

type State = Omit<ReadModel, 'bytes' | 'events_per_second'>;

/** Returns the read models that this program needs and that do not exist in its version. */
export const notBuilt = (
  rows: readonly CheckpointRow[],
  skips: readonly Skip[],
  projections: readonly Projection[],
): State[] =>
  projections
    .filter(({ name, version }) => !rows.some((row) => row.name === name && row.version === version))
    .map(({ name, version, group }) => ({
      name,
      version,
      group,
      position: '0',
      lag: UNREADABLE,
      state: 'not_built',
      failure: null,
      last_try: null,
      built_at: null,
      build_seconds: null,
      built_by: { tables: 'unknown', handlers: 'unknown' },
      build: null,
      skipped: skippedBy(name, skips),
      lacks: [],
    }));

/** Returns the states of existing read models, with their lag. */
export async function built(
  rows: readonly CheckpointRow[],
  {
    skips,
    log,
    projections,
  }: { skips: readonly Skip[]; log: Pick<EventLog, 'readAll' | 'head'>; projections: readonly Projection[] },
): Promise<State[]> {
  const lags = await behind(
    log,
    rows.map(({ position }) => BigInt(position)),
    Date.now(),
  );
  return rows.map(({ halted, failure, build, tables_digest, handlers_digest, ...row }, index) => ({
    ...row,
    built_by: builtBy({ ...row, tables_digest, handlers_digest }, projections),
    lag: lags[index] ?? UNREADABLE,
    state: stateOf({ halted, failure }),
    failure: failure && partsOf(failure),
    build: build && buildOf(build),
    skipped: skippedBy(row.name, skips),
    lacks: lackedBy(row, skips),
  }));
}

type Built = Pick<CheckpointRow, 'name' | 'version' | 'tables_digest' | 'handlers_digest'>;

/** Compares the digests of a build with the code of its version in this program. */
function builtBy(row: Built, projections: readonly Projection[]): ReadModel['built_by'] {
  const present = projections.find(({ name, version }) => name === row.name && version === row.version);
  return {
    tables: codeOf(row.tables_digest, present && [tablesDigest(present)]),
    handlers: codeOf(row.handlers_digest, present?.handlersDigests),
  };
}

function codeOf(digest: string | null, present: readonly string[] | undefined): BuiltBy {
  if (digest === null || present === undefined) return 'unknown';
  return present.includes(digest) ? 'this_code' : 'other_code';
}

function stateOf({ halted, failure }: Pick<CheckpointRow, 'halted' | 'failure'>): ReadModelState {
  if (halted) return failure ? 'halted' : 'catching_up';
  return failure ? 'stopped' : 'following';
}

const buildOf = ({ done = null, total = null, estimated }: BuildNote): NonNullable<ReadModel['build']> => ({
  done,
  total,
  estimated: estimated === true,
});

const partsOf = ({ position, event_id, event_type, error }: Failure): NonNullable<ReadModel['failure']> => ({
  position,
  event_id,
  event_type,
  error,
});

const skippedBy = (name: string, skips: readonly Skip[]): SkippedEvent[] =>
  skips
    .filter((skip) => skip.name === name && isLeftOut(skip))
    .map(({ name: _, unskipped_at: __, ...rest }) => rest);

/** An event that is still to come is taken like any other. */
const lackedBy = (
  { name, position: reached }: Pick<CheckpointRow, 'name' | 'position'>,
  skips: readonly Skip[],
): LackedEvent[] =>
  skips.flatMap(({ name: of, unskipped_at, ...rest }) =>
    of === name && unskipped_at !== null && BigInt(rest.position) <= BigInt(reached)
      ? [{ ...rest, unskipped_at }]
      : [],
  );
