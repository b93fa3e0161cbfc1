import type { Projection } from '#kernel/projection.ts';
import type {
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
      build: null,
      skipped: skippedBy(name, skips),
      lacks: [],
    }));

/** Returns the states of existing read models, with their lag. */
export async function built(
  rows: readonly CheckpointRow[],
  skips: readonly Skip[],
  log: Pick<EventLog, 'readAll' | 'head'>,
): Promise<State[]> {
  const lags = await behind(
    log,
    rows.map(({ position }) => BigInt(position)),
    Date.now(),
  );
  return rows.map(({ halted, failure, build, ...row }, index) => ({
    ...row,
    lag: lags[index] ?? UNREADABLE,
    state: stateOf({ halted, failure }),
    failure: failure && partsOf(failure),
    build: build && buildOf(build),
    skipped: skippedBy(row.name, skips),
    lacks: lackedBy(row, skips),
  }));
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
