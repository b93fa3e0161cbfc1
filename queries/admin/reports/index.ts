import { showReportCase } from './case.ts';
import { listAdminReports, showAdminReport } from './list.ts';
import { listReportNotes } from './notes.ts';
import { listReportQueue } from './queue.ts';

export { reportedTexts, type ReportedVersion } from './evidence.ts';
export { notesWhere, reportsWhere, strikesAgainst } from './history.ts';
export { newestReportNotes, newestReports } from './newest.ts';
export { reportNote } from './notes.ts';
export { adminReportText } from './report.ts';

export const adminReportQueries = [
  listReportQueue,
  listAdminReports,
  showReportCase,
  showAdminReport,
  listReportNotes,
];
