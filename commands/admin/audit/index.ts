export { recordExport } from './export.ts';
export { recordDivergence, recordLoss, recordRestore } from './restore.ts';
export { AuditViews } from './view.ts';
