import type { ImportType } from '#mastodon/portability.ts';
import type { Id } from '../ids.ts';

/** The settings of a row besides its target; absent members are unchanged. */
export interface RowSettings {
  reblogs?: boolean;
  notify?: boolean;
  /** Canonical codes; null for all. */
  languages?: string[] | null;
  /** For a mute: hides notifications too. */
  notifications?: boolean;
}

/** One row of a file that is imported. */
export interface ImportRow {
  /** Its place in the file, from 1 on. */
  line: number;
  /** An address, a domain or a URI, as in the file. */
  value: string;
  /** The same as read models spell it: `acct_key`, the canonical domain, or the URI. */
  key: string;
  /** The title of the list; null where it is about none. */
  list: string | null;
  settings: RowSettings;
}

/** A row that was not carried out, with the reason. */
export interface FailedRow extends ImportRow {
  reason: string;
}

/** One uploaded file. Moments are ISO 8601. */
export interface Import {
  id: Id;
  account_id: Id;
  type: ImportType;
  /** Rows that the file does not name are removed. */
  overwrite: boolean;
  total: number;
  done: number;
  failed: number;
  /** The lists by their titles, of which some may not have been made yet; null where it is about none. */
  lists: Readonly<Record<string, Id>> | null;
  begun_at: string;
  /** When what is not in the file was gone; null until then. */
  prepared_at: string | null;
  finished_at: string | null;
}

/** Imports and their rows: durable until they are old, never in the log. Their effects are. */
export interface Imports {
  /**
   * Refuses what `begin` would refuse whatever is in the file, before the file is read.
   * @throws RookeryError `invalid` as `begin`
   */
  assertRoom(accountId: Id, options: { byOperator: boolean }): Promise<void>;
  /**
   * Admits an upload of the account, before the file is read. Returns the function that ends it.
   * @throws RookeryError `invalid` as `assertRoom`, and while another upload of the account is under way in this process
   */
  admitUpload(accountId: Id): Promise<() => void>;
  /**
   * Reads and stores a file when its turn comes: one file at a time in this process, and accounts take turns.
   * @throws RookeryError `unavailable` when too many files wait
   */
  inTurn<T>(accountId: Id, work: () => Promise<T>): Promise<T>;
  /**
   * Stores a file's rows, all or none; the finished imports of the account beyond the last ten go, and everybody's after 30 days.
   * The operator (`byOperator`) may begin as many a day as they like.
   * @throws RookeryError `invalid` where too many of the account's are under way, or were begun in the last 24 hours
   */
  begin(
    input: Pick<Import, 'id' | 'account_id' | 'type' | 'overwrite'> & { byOperator?: boolean },
    rows: readonly ImportRow[],
    failed: readonly FailedRow[],
  ): Promise<void>;
  find(id: Id): Promise<Import | undefined>;
  /** Returns the imports of an account, newest first, with ten finished ones at most. */
  of(accountId: Id): Promise<Import[]>;
  /** Marks the import as prepared: rows outside of the file are gone, and `lists` are the lists to make. */
  prepared(id: Id, lists: Import['lists']): Promise<void>;
  /** Rows that nothing was done about yet, the first in the file first. */
  waiting(id: Id, limit: number): Promise<ImportRow[]>;
  /** The titles of lists that rows name, in the order of the file; `limit` at most. */
  titles(id: Id, limit: number): Promise<string[]>;
  /** Records the outcomes of rows, without a reason for success. Repeating it changes nothing. */
  record(id: Id, outcomes: readonly { line: number; reason: string | undefined }[]): Promise<void>;
  finish(id: Id): Promise<void>;
  /** Rows that were not carried out, those behind a line of the file. */
  failures(id: Id, after: number, limit: number): Promise<FailedRow[]>;
}
