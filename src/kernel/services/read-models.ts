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
  /** The end of the last build; null for builds by versions that did not store it. */
  built_at: string | null;
  skipped: SkippedEvent[];
}

export interface ReadModelDetails extends ReadModel {
  tables: { name: string; bytes: number; rows: number }[];
  /** The event of the failure, decoded; null where there is none or it cannot be decoded. */
  event: RecordedEvent | null;
}

/** How far a build is, or its end. Positions are those of the log. */
export type ReadModelRun =
  | { event: 'progress'; data: { position: string; head: string; events: number } }
  | { event: 'done'; data: { differences: { table: string; live: string; rebuilt: string }[] } };

/** The read models of this server, for those who operate it. */
export interface ReadModels {
  list(): Promise<ReadModel[]>;
  /** @throws RookeryError `not_found` */
  show(name: string): Promise<ReadModelDetails>;
  /** Returns the event at a position. @throws RookeryError `not_found` */
  eventAt(position: string): Promise<RecordedEvent>;
  /** Asks the projectors of all processes to retry the events that halted them. */
  retry(): Promise<void>;
  /**
   * Builds a read model anew, and puts it in the place of the live one; an abort of the signal ends that.
   * @throws RookeryError `not_found`, `conflict` while this process builds or verifies another one
   */
  rebuild(name: string, signal: AbortSignal): AsyncIterable<ReadModelRun>;
  /** Builds a read model beside the live one and compares them. @throws RookeryError as `rebuild` */
  verify(name: string, signal: AbortSignal): AsyncIterable<ReadModelRun>;
  /** Leaves out an event from now on. */
  storeSkip(name: string, skip: Omit<SkippedEvent, 'skipped_at'>): Promise<void>;
  /** @returns whether the event was left out */
  removeSkip(name: string, position: string): Promise<boolean>;
}
