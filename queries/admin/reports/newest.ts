import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';

/** SQL: the handle of an account, with its domain unless it is local; null for no account. */
const handle = (account: string): string =>
  `(select case when h.domain is null then h.username else h.username || '@' || h.domain end
    from accounts h where h.id = ${account})`;

const NEWEST = statement<ListedReport>(
  'admin_reports_newest',
  `select r.id, r.category, r.comment, r.created_at, r.action_taken_at is not null as resolved,
     ${handle('r.account_id')} as reporter, ${handle('r.target_account_id')} as target,
     ${handle('r.assigned_account_id')} as assigned
   from reports r where $1::boolean is null or (r.action_taken_at is not null) = $1
   order by r.id desc limit 200`,
);
const NOTES = statement<{ author: string | null; content: string; created_at: string }>(
  'admin_report_notes_newest',
  `select ${handle('n.account_id')} as author, n.content, n.created_at
   from report_notes n where n.report_id = $1 order by n.id desc limit 40`,
);

export interface ListedReport {
  id: Id;
  category: string;
  comment: string;
  /** ISO 8601. */
  created_at: string;
  resolved: boolean;
  reporter: string | null;
  target: string | null;
  /** The staff member who handles the report. */
  assigned: string | null;
}

/**
 * Returns the newest reports, at most 200, for the operator: resolved ones, open ones, or all when `resolved`
 * is null.
 */
export const newestReports = (db: Db, resolved: boolean | null): Promise<ListedReport[]> =>
  db.query(NEWEST, [resolved]);

/** Returns the newest notes of staff about a report, at most 40. */
export const newestReportNotes = (
  db: Db,
  reportId: Id,
): Promise<{ author: string | null; content: string; created_at: string }[]> => db.query(NOTES, [reportId]);
