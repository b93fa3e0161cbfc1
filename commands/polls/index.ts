import { voteInPoll } from './vote.ts';

export { decideVote, vote, type CastVote, type PollFacts, type Vote } from './vote.ts';
export const pollCommands = [voteInPoll];
