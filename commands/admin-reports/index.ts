import { assignReport, reopenReport, resolveReport, unassignReport } from './handle.ts';
import { addReportNote } from './notes.ts';
import { updateReport } from './update.ts';

export const adminReportCommands = [
  updateReport,
  assignReport,
  unassignReport,
  resolveReport,
  reopenReport,
  addReportNote,
];
