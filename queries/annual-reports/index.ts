import { listAnnualReports, showAnnualReport } from './show.ts';
import { showAnnualReportState } from './state.ts';

export { archetypeOf, countYear } from './counts.ts';
export { annualReportKey, annualReportState, REPORT_RETRY, yearParams } from './state.ts';

export const annualReportQueries = [listAnnualReports, showAnnualReport, showAnnualReportState];
