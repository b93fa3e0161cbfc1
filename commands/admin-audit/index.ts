export { recordExport } from './export.ts';
export { AuditViews } from './view.ts';
