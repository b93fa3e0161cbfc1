export { beginRestore, endRestore, isRestoreBegun, refuseBegunRestore } from './begun.ts';
export { noteBackup } from './finished.ts';
export { createBackup, type BackupProgress } from './create.ts';
export { ErasureList, readErasures } from './erasure-list.ts';
export { restoreJobs } from './jobs.ts';
export { loadBackup, refuseFilled, type OpenBackup } from './load.ts';
export { verifyBackedUpLog } from './verify-log.ts';
export { assertIntact } from './lines.ts';
export { forgetLostEnd, type Behind } from './lost-end.ts';
export { filesOf, isSigned, readManifest, type Manifest } from './manifest.ts';
export { copyMediaIn, damagedMedia } from './media.ts';
export {
  finishRestore,
  refuseUnfinishedRestore,
  unfinishedLoss,
  unfinishedRestore,
  type AcceptedLoss,
} from './restores.ts';
export { countUsersKeys } from './users-keys.ts';
