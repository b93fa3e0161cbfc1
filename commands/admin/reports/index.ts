import { assignReport, reopenReport, resolveReport, unassignReport } from './handle.ts';
import { addReportNote } from './notes.ts';
import { updateReport } from './update.ts';

export { changeReport, decideAssign, decideReopen, decideUnassign, type ReportDecision } from './handle.ts';
export { decideResolve } from '#commands/reports/index.ts';

export const adminReportCommands = [
  updateReport,
  assignReport,
  unassignReport,
  resolveReport,
  reopenReport,
  addReportNote,
];
