import {
  actOnAccountStatuses,
  actOnReport,
  deleteStatusAsStaff,
  markAsSensitive,
  unmarkAsSensitive,
} from './endpoints.ts';

export { finishMeasure } from './finish.ts';
export { authorOf, moderateStatuses, type StatusMeasure } from './moderate.ts';
export { removeStatus, sealRemoved } from './remove.ts';
export { liftMark, liftMarksOf } from './sensitize.ts';

export const adminStatusCommands = [
  deleteStatusAsStaff,
  markAsSensitive,
  unmarkAsSensitive,
  actOnReport,
  actOnAccountStatuses,
];
