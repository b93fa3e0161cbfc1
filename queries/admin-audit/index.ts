import { listAudit, showAuditEntry } from './list.ts';

export { parseAuditFilter, type AuditFilter } from './filter.ts';
export { auditEntries } from './page.ts';

export const adminAuditQueries = [listAudit, showAuditEntry];
