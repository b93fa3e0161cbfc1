import { exportAudit } from './download.ts';

export { recordExport } from './export.ts';
export { recordDamage } from './damage.ts';
export { recordMaintenance } from './maintenance.ts';
export { recordPastView } from './past-view.ts';
export { recordDivergence, recordLoss, recordRestore } from './restore.ts';
export { recordKeyReplacement } from './server-keys.ts';
export { areTokensSealed, recordTokensSealed } from './token-digests.ts';
export { AuditViews } from './view.ts';

export const adminAuditCommands = [exportAudit];
