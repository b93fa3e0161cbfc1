export { moment } from './filter.ts';
import { listAuditApplications } from './applications.ts';
import { listAudit, showAuditEntry } from './list.ts';
import { showStrikeNotice } from './notice.ts';
import { showAuditStatistics } from './statistics.ts';

export { auditLines, type AuditFormat } from './export-format.ts';
export { auditFilter, auditParameters, parseAuditFilter, parseGiven, type AuditFilter } from './filter.ts';
export { withAccountIds } from './handles.ts';
export { auditEntryAt } from './list.ts';
export { auditEntries } from './page.ts';
export { auditStatistics, parseMonths } from './statistics.ts';

export const adminAuditQueries = [
  listAudit,
  showAuditStatistics,
  listAuditApplications,
  showAuditEntry,
  showStrikeNotice,
];
