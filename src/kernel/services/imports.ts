import type { Id } from '../ids.ts';
import type { ImportType } from '../../mastodon/portability.ts';

/** What a row says besides whom it names; what is absent is not said. */
export interface RowSettings {
  reblogs?: boolean;
  notify?: boolean;
  /** Canonical codes; null for all. */
  languages?: string[] | null;
  /** Of a mute: notifications are hidden, too. */
  notifications?: boolean;
}

/** One row of a file that is imported. */
export interface ImportRow {
  /** Its place in the file, from 1 on. */
  line: number;
  /** An address, a domain or a URI, as the file has it. */
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

/** One file that somebody brought along. Moments are ISO 8601. */
export interface Import {
  id: Id;
  account_id: Id;
  type: ImportType;
  /** What is not in the file goes. */
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

/** Imports and their rows: durable until they are old, never in the log. What they bring about is. */
export interface Imports {
  /**
   * Refuses what `begin` would refuse whatever is in the file, before the file is read.
   * @throws RookeryError `invalid` as `begin`
   */
  assertRoom(accountId: Id, options: { byOperator: boolean }): Promise<void>;
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
  /** Of an account, the newest first; ten finished ones at most. */
  of(accountId: Id): Promise<Import[]>;
  /** What is not in the file is gone, and which lists there are to be is settled. */
  prepared(id: Id, lists: Import['lists']): Promise<void>;
  /** Rows that nothing was done about yet, the first in the file first. */
  waiting(id: Id, limit: number): Promise<ImportRow[]>;
  /** The titles of lists that rows name, in the order of the file; `limit` at most. */
  titles(id: Id, limit: number): Promise<string[]>;
  /** What became of rows: no reason for what was carried out. Told again, it changes nothing. */
  record(id: Id, outcomes: readonly { line: number; reason: string | undefined }[]): Promise<void>;
  finish(id: Id): Promise<void>;
  /** Rows that were not carried out, those behind a line of the file. */
  failures(id: Id, after: number, limit: number): Promise<FailedRow[]>;
}
