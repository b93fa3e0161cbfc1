export { recordExport } from './export.ts';
export { recordLoss, recordRestore } from './restore.ts';
export { AuditViews } from './view.ts';
