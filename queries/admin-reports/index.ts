import { listAdminReports, showAdminReport } from './list.ts';

export { adminReportText } from './report.ts';

export const adminReportQueries = [listAdminReports, showAdminReport];
