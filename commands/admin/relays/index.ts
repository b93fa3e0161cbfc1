import { createRelay, deleteRelay, disable, enable } from './endpoints.ts';

export { addRelay, disableRelay, enableRelay, recordRelayAnswer, removeRelay } from './change.ts';

export const adminRelayCommands = [createRelay, enable, disable, deleteRelay];
