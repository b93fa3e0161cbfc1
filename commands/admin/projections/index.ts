export { adminProjectionCommands } from './endpoints.ts';
export { skipEvent, unskipEvent } from './skip.ts';
