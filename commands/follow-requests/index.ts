import { authorizeFollowRequest, rejectFollowRequest } from './answer.ts';

export { acceptWaiting } from './accept-waiting.ts';

export const followRequestCommands = [authorizeFollowRequest, rejectFollowRequest];
