import { isDiskFull, isRookeryError, RookeryError } from '#kernel/errors.ts';
import type { EventMetadata, RecordedEvent } from '#kernel/event.ts';
import { isStoreOutage, markOutage } from '#kernel/outage.ts';

/** The revision of a stream without events: an append at this revision creates the stream. */
export const NO_STREAM = -1;

/** An encoded event to append; `data` and `metadata` are JSON texts. */
export interface EncodedEvent {
  /** UUID, derived from the command id, so that a repeated append is recognised. */
  id: string;
  type: string;
  data: string;
  metadata: string;
}

/** An encoded event with its position in the log. */
export interface StoredEvent extends EncodedEvent {
  position: bigint;
  stream: string;
  revision: number;
}

/** An event of another program in a stream with a name of this program. */
export type ForeignEvent = Pick<StoredEvent, 'stream' | 'type' | 'position'>;
/** An event whose personal fields have the values of erased ones, because they cannot be decrypted. */
export interface DamagedEvent {
  position: bigint;
  id: string;
  type: string;
  /** Undefined where the event does not name the subject of its fields. */
  subject: string | undefined;
  /** `key`: the stored key is damaged. `fields`: the ciphertext is, or another key encrypted it. */
  cause: 'fields' | 'key';
}

/** The damage that a verification of the log found. `accepted`: an accepted divergence covers it. */
export type VerifiedDamage = DamagedEvent & { accepted: boolean };

/** The position of the last event of an append. */
export interface AppendResult {
  revision: number;
  position: bigint;
}

/** The stream was not at the expected revision. `actual` is its revision, when the engine tells. */
export class RevisionConflict extends Error {
  readonly stream: string;
  readonly expected: number;
  readonly actual: number | undefined;

  constructor(stream: string, expected: number, actual?: number) {
    super(`Stream ${stream} is at revision ${actual ?? 'another'}, not at ${expected}`);
    this.name = 'RevisionConflict';
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The log cannot be reached or does not answer in time; it is unknown whether the append was stored. */
export class LogUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'LogUnavailable';
    markOutage(this);
  }
}

/** There is no event at this position, and the engine can only read from the positions of events. */
export class NoSuchPosition extends Error {
  constructor(position: bigint, cause?: unknown) {
    super(`The log has no event at position ${position}`, { cause });
    this.name = 'NoSuchPosition';
  }
}

/** A stream of this log was deleted in its engine, so the log is incomplete. */
export class StreamDeleted extends Error {
  constructor(stream: string, cause?: unknown) {
    super(`Stream ${stream} was deleted from the event log: restore the log from a backup`, { cause });
    this.name = 'StreamDeleted';
  }
}

/**
 * Turns an outage of the log or the database, or a full disk, into the error for clients. Returns any other
 * failure unchanged.
 */
export function outage(error: unknown): unknown {
  if (isDiskFull(error) && !isRookeryError(error)) {
    return new RookeryError('unavailable', 'The server has no space left to store this', {
      cause: error,
      headers: { 'Retry-After': '60' },
    });
  }
  const isOfLog = error instanceof LogUnavailable;
  if (!isOfLog && !isStoreOutage(error)) return error;
  return new RookeryError('unavailable', `The ${isOfLog ? 'event log' : 'database'} cannot be reached`, {
    cause: error,
    headers: { 'Retry-After': '5' },
  });
}

/**
 * The storage engine of the log. Two adapters (`postgres.ts`, `eventstoredb.ts`) pass one contract suite
 * (`test/contracts/event-store.ts`).
 * - Positions are total over all streams: a reader that resumes after the last position it saw skips nothing,
 *   whatever commits, rolls back or crashes meanwhile. They need not be consecutive.
 * - Revisions count each stream's events from 0. They have gaps only where another program wrote to the
 *   stream: its events are left out everywhere.
 */
export interface EventStore {
  /**
   * Appends all events or none, when `expectedRevision` is that of the last event of this program in the stream
   * (`NO_STREAM` for none).
   * Repeating an append with the same event ids and expected revision returns the first result again.
   * @throws RevisionConflict, LogUnavailable, StreamDeleted
   */
  append(stream: string, expectedRevision: number, events: readonly EncodedEvent[]): Promise<AppendResult>;

  /**
   * Returns at most `limit` events of one stream in order, starting at the revision `from` (inclusive). An
   * unknown stream is empty.
   * @throws LogUnavailable, StreamDeleted
   */
  readStream(stream: string, from?: number, limit?: number): Promise<StoredEvent[]>;

  /**
   * Returns the events of several streams in the order of the log. Unknown streams are empty.
   * @throws LogUnavailable, StreamDeleted
   */
  readStreams(streams: readonly string[]): Promise<StoredEvent[]>;

  /**
   * Returns at most `limit` events of all streams in order, after the position `after` (exclusive; 0 for the
   * start).
   * @throws NoSuchPosition, LogUnavailable
   */
  readAll(after: bigint, limit: number): Promise<StoredEvent[]>;

  /**
   * Returns at most `limit` events of all streams before the position `before` (exclusive; undefined for the
   * head), the newest first.
   * @throws NoSuchPosition, LogUnavailable
   */
  readBack(before: bigint | undefined, limit: number): Promise<StoredEvent[]>;

  /** Returns the event at a position, or undefined. @throws LogUnavailable */
  find(position: bigint): Promise<StoredEvent | undefined>;

  /**
   * Returns the first event of another program in a stream of this program, as an engine has them that other
   * programs use too.
   * @throws LogUnavailable, StreamDeleted
   */
  foreignIn(stream: string): Promise<ForeignEvent | undefined>;

  /** Returns the position of the newest event; 0 without events. */
  head(): Promise<bigint>;

  /**
   * Follows the log for ever: yields batches of 1 to `batchSize` events after `after`, waits at the head
   * without a polling delay, and reconnects with back-off. It reads the next batch only when the consumer
   * asks for it. Ends when the signal aborts.
   * @throws NoSuchPosition
   */
  subscribeAll(after: bigint, options: SubscribeOptions): AsyncIterable<StoredEvent[]>;

  /** Returns the version of a server that keeps only the log; undefined without one, or while it does not answer. */
  serverVersion(): Promise<string | undefined>;

  close(): Promise<void>;
}

export interface SubscribeOptions {
  batchSize: number;
  signal: AbortSignal;
}

/** An event to append, not yet encoded. */
export interface NewEvent {
  id: string;
  type: string;
  data: unknown;
  metadata: EventMetadata;
}

export interface ReadOptions {
  /** Returns events that cannot be decoded as `unreadable`, instead of throwing. */
  keepUnreadable?: boolean;
}

/** The application's log: an `EventStore` behind the codec (versions, encryption of personal fields). */
export interface EventLog {
  append(stream: string, expectedRevision: number, events: readonly NewEvent[]): Promise<AppendResult>;
  readStream(stream: string, options?: ReadOptions): Promise<RecordedEvent[]>;
  /** Returns the events of several streams in the order of the log. */
  readStreams(streams: readonly string[]): Promise<RecordedEvent[]>;
  readAll(after: bigint, limit: number, options?: ReadOptions): Promise<RecordedEvent[]>;
  find(position: bigint): Promise<RecordedEvent | undefined>;
  head(): Promise<bigint>;
  /** Events that cannot be decoded are `unreadable`. */
  subscribeAll(after: bigint, options: SubscribeOptions): AsyncIterable<RecordedEvent[]>;
  close(): Promise<void>;
}
