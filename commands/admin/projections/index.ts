export { adminProjectionCommands } from './endpoints.ts';
export { cancelRun, isStanding, recordRetry, recordStart, retryProjectionEvent, startRun } from './runs.ts';
export { skipEvent, unskipEvent } from './skip.ts';
