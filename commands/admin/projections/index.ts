export { adminProjectionCommands } from './endpoints.ts';
export { cancelRun, retryProjectionEvent, startRun } from './runs.ts';
export { skipEvent, unskipEvent } from './skip.ts';
