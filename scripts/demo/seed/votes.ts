import { decideVote, vote } from '#commands/polls.ts';
import { voteStream } from '#events/polls.ts';
import { visiblePoll } from '#queries/polls/index.ts';
import { momentOf } from '../moments.ts';
import type { PlannedMark } from '../plan-marks.ts';
import { residentNamed, type Town } from './town.ts';

/**
 * Casts a vote as the endpoint does. The endpoint asks the database whether the poll is over now; at the moment of the vote it is
 * not, which the decision itself checks.
 */
export async function castVote(
  town: Town,
  { by, ago, choices = [] }: PlannedMark,
  pollId: string,
): Promise<void> {
  const ctx = await town.acting.person(residentNamed(town, by).token, momentOf(ago, town.end));
  const poll = { ...(await visiblePoll(ctx, pollId)), poll_expired: false };
  const command = {
    id: ctx.newId(),
    now: ctx.now,
    accountId: ctx.viewer.account_id,
    choices: choices.map(String),
  };
  await ctx.execute(voteStream(poll.poll_round, command.accountId), vote, (state) =>
    decideVote(state, command, poll),
  );
}
