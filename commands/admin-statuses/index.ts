import {
  actOnAccountStatuses,
  actOnReport,
  deleteStatusAsStaff,
  markAsSensitive,
  unmarkAsSensitive,
} from './endpoints.ts';

export { authorOf, finishMeasure, moderateStatuses, statusActionOf, type StatusMeasure } from './moderate.ts';
export { removeStatus, sealRemoved } from './remove.ts';
export { liftMark, liftMarksOf } from './sensitize.ts';

export const adminStatusCommands = [
  deleteStatusAsStaff,
  markAsSensitive,
  unmarkAsSensitive,
  actOnReport,
  actOnAccountStatuses,
];
