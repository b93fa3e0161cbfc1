import { listAudit, showAuditEntry } from './list.ts';
import { showAuditStatistics } from './statistics.ts';

export { parseAuditFilter, type AuditFilter } from './filter.ts';
export { auditEntryAt } from './list.ts';
export { auditEntries } from './page.ts';
export { auditStatistics, parseMonths } from './statistics.ts';

export const adminAuditQueries = [listAudit, showAuditStatistics, showAuditEntry];
