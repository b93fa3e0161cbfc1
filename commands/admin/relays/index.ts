import { createRelay, deleteRelay, disable, enable } from './endpoints.ts';

export { addRelay, answerOfRelay, disableRelay, enableRelay, removeRelay } from './change.ts';

export const adminRelayCommands = [createRelay, enable, disable, deleteRelay];
