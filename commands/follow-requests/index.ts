import { authorizeFollowRequest, rejectFollowRequest } from './answer.ts';

export const followRequestCommands = [authorizeFollowRequest, rejectFollowRequest];
