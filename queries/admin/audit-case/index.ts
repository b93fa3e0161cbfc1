import { showAuditCase } from './endpoint.ts';

export { caseOf } from './gather.ts';

export const auditCaseQueries = [showAuditCase];
