import {
  actOnAccountStatuses,
  actOnReport,
  deleteStatusAsStaff,
  markAsSensitive,
  unmarkAsSensitive,
} from './endpoints.ts';

export { finishSanction } from './finish.ts';
export { authorOf, moderateStatuses, type StatusSanction } from './moderate.ts';
export { removeStatus, sealRemoved } from './remove.ts';
export { liftMark, liftMarksOf } from './sensitize.ts';

export const adminStatusCommands = [
  deleteStatusAsStaff,
  markAsSensitive,
  unmarkAsSensitive,
  actOnReport,
  actOnAccountStatuses,
];
