import type { RecordedEvent } from '../event.ts';

/**
 * `following`: with its group. `halted`: it rejected an event, and its group goes on without it. `catching_up`: on the way back to
 * its group. `stopped`: its whole group cannot go on, mostly because the log cannot be read. `not_built`: the version that this
 * program needs does not exist yet.
 */
export type ReadModelState = 'following' | 'halted' | 'catching_up' | 'stopped' | 'not_built';

/** The event that stopped a read model; its id is empty where the log cannot be read. */
export interface ReadModelFailure {
  position: string;
  event_id: string;
  event_type: string;
  error: string;
}

/** An event that a read model leaves out. */
export interface SkippedEvent {
  position: string;
  event_id: string;
  event_type: string;
  reason: string;
  skipped_at: string;
}

/** An event that was left out, and is taken with the next rebuild. */
export interface LackedEvent extends SkippedEvent {
  unskipped_at: string;
}

/**
 * The end of the last retry, also by a start: `went_on`: it took the event; `rejected`: it rejected one once more; `failed`: it did
 * not get to the event.
 */
export interface LastTry {
  at: string;
  outcome: 'went_on' | 'rejected' | 'failed';
  error: string | null;
}

/** `other_code`: the program has other code for it than built it. `unknown`: the code that built it was not recorded. */
export type BuiltBy = 'this_code' | 'other_code' | 'unknown';

export interface ReadModel {
  name: string;
  version: number;
  group: string;
  /** The position of the last event that it contains. */
  position: string;
  /** Null when the log cannot be read from there. */
  lag: { events: number | null; estimated: boolean; seconds: number | null };
  state: ReadModelState;
  failure: ReadModelFailure | null;
  /** Null where it was not halted since its last build, or not retried since it was halted. */
  last_try: LastTry | null;
  /** The end of the last build; null for builds by versions that did not store it. */
  built_at: string | null;
  /** The duration of the last build; null for builds by versions that did not store it. */
  build_seconds: number | null;
  /** Tables of other code are built again by the next start, rows of other handlers only by a rebuild. */
  built_by: { tables: BuiltBy; handlers: BuiltBy };
  /** A build that is under way in any process, in events; without numbers before the first page. */
  build: { done: number | null; total: number | null; estimated: boolean } | null;
  /** The rate of the last minute; null where it was not sampled. */
  events_per_second: number | null;
  /** The size of its tables. */
  bytes: number;
  skipped: SkippedEvent[];
  /** The events that its tables lack until it is rebuilt. */
  lacks: LackedEvent[];
}

export interface ReadModelDetails extends ReadModel {
  tables: { name: string; bytes: number; rows: number }[];
  /** The event of the failure, decoded; null where there is none or it cannot be decoded. */
  event: RecordedEvent | null;
  /** Events a second in the minutes of the last hour. */
  rates: { at: string; events_per_second: number }[];
}

/** The number of rows of a table, with a sum of their hashes: live, and as the log says. */
export interface Digests {
  table: string;
  live: string;
  rebuilt: string;
  /** The first rows that differ, at most five. */
  rows: DifferingRow[];
}

/** A row that is not as the log says. Values are texts, shortened. */
export interface DifferingRow {
  /** Its primary key, by column. */
  key: Record<string, string | null>;
  /** `missing`: only the log has it. `surplus`: only the live table has it. */
  kind: 'missing' | 'surplus' | 'changed';
  /** The columns that differ in a changed row. Values of texts are left out: their lengths stand for them. */
  columns: { name: string; live: string | null; rebuilt: string | null }[];
}

/** A build that takes the place of the live read model, or is compared with it. */
export type RunKind = 'rebuild' | 'verify';
/** `interrupted`: its process ended. */
export type RunState = 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';

/** A build that staff started, in whatever process. */
export interface ProjectionRun {
  id: string;
  name: string;
  kind: RunKind;
  state: RunState;
  started_at: string;
  /** Null while it runs. */
  ended_at: string | null;
  seconds: number;
  /** Positions of the log. */
  position: string;
  head: string;
  events: number;
  /** In events; null before the first page. */
  done: number | null;
  total: number | null;
  estimated: boolean;
  events_per_second: number | null;
  seconds_left: number | null;
  /** Once it is done. */
  digests: Digests[] | null;
  error: string | null;
  /** It was cancelled, and ends at its next page. */
  cancelling: boolean;
}

/** How far a build is, or its end with the tables whose digests differ. Positions are those of the log. */
export type RunEvent =
  | { event: 'progress'; data: { position: string; head: string; events: number } }
  | { event: 'done'; data: { differences: Digests[] } };

/** The read models of this server, for those who operate it. */
export interface ReadModels {
  /** The names of halted read models, as this process knows them. */
  halted(): readonly string[];
  list(): Promise<ReadModel[]>;
  /** @throws RookeryError `not_found` */
  show(name: string): Promise<ReadModelDetails>;
  /** Asks the projectors of all processes to retry the events that halted them. */
  retry(): Promise<void>;
  /**
   * Starts a build that goes on by itself. Idempotent by id.
   * @throws RookeryError `not_found`, `conflict` while another one runs
   */
  startRun(run: { id: string; name: string; kind: RunKind }): Promise<void>;
  /** Returns the newest builds that staff started, at most `limit`, of one read model or of all. */
  runs(which: { name?: string | undefined; limit: number }): Promise<ProjectionRun[]>;
  /** @throws RookeryError `not_found` */
  run(id: string): Promise<ProjectionRun>;
  /** Asks the process of a run to end it. @returns whether it was running */
  cancelRun(id: string): Promise<boolean>;
  /** Leaves out an event from now on. */
  storeSkip(name: string, skip: Omit<SkippedEvent, 'skipped_at'>): Promise<void>;
  /** @returns whether the event was left out */
  removeSkip(name: string, position: string): Promise<boolean>;
}
