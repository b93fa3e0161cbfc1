import { voteInPoll } from './vote.ts';

export const pollCommands = [voteInPoll];
