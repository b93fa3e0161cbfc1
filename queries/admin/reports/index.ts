import { listAdminReports, showAdminReport } from './list.ts';
import { listReportNotes } from './notes.ts';

export { reportedTexts, type ReportedVersion } from './evidence.ts';
export { newestReportNotes, newestReports } from './newest.ts';
export { reportNote } from './notes.ts';
export { adminReportText } from './report.ts';

export const adminReportQueries = [listAdminReports, showAdminReport, listReportNotes];
