export { recordExport } from './export.ts';
export { recordRestore } from './restore.ts';
export { AuditViews } from './view.ts';
