import type { Readable, Transform } from 'node:stream';
import type { Id } from '../ids.ts';

/** The latest archive that a user requested. Moments are ISO 8601. */
export interface Archive {
  id: Id;
  account_id: Id;
  state: 'being_made' | 'ready' | 'failed';
  /** When the next one may be asked for. */
  next_at: string;
  /** Bytes; null unless it is ready. */
  size: number | null;
  /** Files that could not be had any more; null unless it is ready. */
  missing: number | null;
  finished_at: string | null;
  /** When it goes; null unless it is ready. */
  expires_at: string | null;
  /** Its owner was told that it is ready. */
  mailed: boolean;
}

/** Where an archive is written: what goes there passes through the seal. */
export interface ArchivePlace {
  path: string;
  seal: Transform;
}

/** Archives of what people made, one per account, for their owners alone: durable until they are too old, never in the log. */
export interface Archives {
  /** Requests an archive. @returns false when one is in progress, or the last request is too recent */
  request(id: Id, accountId: Id): Promise<boolean>;
  /** Returns the archive of an account; undefined when there is none, or it is too old. */
  of(accountId: Id): Promise<Archive | undefined>;
  find(id: Id): Promise<Archive | undefined>;
  /**
   * Keeps what `write` writes, unless it is made already, or another try has begun meanwhile; what an earlier try left goes first.
   * @param write gives the number of files that could not be had
   */
  make(id: Id, write: (place: ArchivePlace) => Promise<number>, signal: AbortSignal): Promise<void>;
  /** It could not be made: its owner may ask for another one at once. */
  fail(id: Id): Promise<void>;
  mailed(id: Id): Promise<void>;
  /** The bytes of an archive that is ready, and their number; null where there is none. The caller reads or destroys the stream. */
  open(accountId: Id): Promise<{ archive: Archive; stream: Readable; size: number } | null>;
  /** Removes old archives. @returns ids of requested archives on which no process has worked for a while */
  tidy(): Promise<Id[]>;
}
