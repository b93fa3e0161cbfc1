import { z } from 'zod';
import { voteStream, type PollEvent } from '../../src/events/polls.ts';
import type { Decider } from '../../src/kernel/decider.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { forbidden, invalid } from '../../src/kernel/errors.ts';
import { formStringArray, idParams } from '../../src/kernel/input.ts';
import { pollText, visiblePoll, type VisiblePoll } from '../../queries/polls/index.ts';
import { pollSchema } from '../../queries/entities/schemas/index.ts';

/** What one account chose in one poll: indexes of options. */
export interface Vote {
  voted: boolean;
  choices: readonly number[];
}

/** Stream `vote-<poll>-<account>`. */
export const vote: Decider<Vote, PollEvent> = {
  initialState: { voted: false, choices: [] },
  evolve: ({ choices }, { data }) => ({ voted: true, choices: [...choices, ...data.choices] }),
};

export const voteInPoll = endpoint({
  method: 'POST',
  path: '/api/v1/polls/:id/votes',
  summary: 'Vote in a poll',
  auth: 'user',
  scopes: ['write:statuses'],
  params: idParams,
  body: z.object({
    choices: formStringArray(500, 5_000)
      .default([])
      .describe(
        'Indexes of the chosen options, counted from 0; only a multiple-choice poll takes more than one.',
      ),
  }),
  requires: ['choices'],
  reply: pollSchema,
  handler: async (ctx, { params, body }) => {
    const poll = await visiblePoll(ctx, params.id);
    if (poll.author_blocked) throw forbidden();
    const command = {
      id: ctx.newId(),
      now: ctx.now,
      accountId: ctx.viewer.account_id,
      choices: body.choices,
    };
    await ctx.execute(voteStream(params.id, command.accountId), vote, (state) =>
      decideVote(state, command, { ...poll, id: params.id }),
    );
    return { text: await pollText(ctx, params.id) };
  },
});

export interface CastVote {
  id: string;
  now: string;
  accountId: string;
  /** Indexes of options, or their titles. */
  choices: readonly string[];
}

export type PollFacts = Pick<
  VisiblePoll,
  'status_id' | 'poll_account_id' | 'poll_options' | 'poll_multiple' | 'poll_expires_at' | 'poll_expired'
> & { id: string };

/** Once per account, while the poll is open. Pure. @throws RookeryError `invalid` */
export function decideVote({ voted }: { voted: boolean }, command: CastVote, poll: PollFacts): PollEvent[] {
  const titles = JSON.parse(poll.poll_options) as string[];
  const choices = [...new Set(command.choices.map((choice) => indexOf(choice, titles)))];
  if (poll.poll_account_id === command.accountId) throw refused('You cannot vote in your own polls');
  if (poll.poll_expired === true || (poll.poll_expires_at !== null && poll.poll_expires_at <= command.now)) {
    throw refused('The poll has already ended');
  }
  if (voted) throw refused('You have already voted on this poll');
  if (choices.length === 0) throw refused("Choices can't be blank");
  if (choices.length > 1 && !poll.poll_multiple) throw refused('Only one option may be chosen');
  return [
    {
      type: 'VoteCast',
      data: {
        id: command.id,
        poll_id: poll.id,
        status_id: poll.status_id,
        account_id: command.accountId,
        choices: choices.sort((one, other) => one - other),
        cast_at: command.now,
      },
    },
  ];
}

/** @throws RookeryError `invalid` for what is no option */
function indexOf(choice: string, titles: readonly string[]): number {
  const index = /^[0-9]{1,3}$/.test(choice) ? Number(choice) : titles.indexOf(choice);
  if (index < 0 || index >= titles.length) throw refused('The chosen vote option does not exist');
  return index;
}

const refused = (message: string) => invalid(`Validation failed: ${message}`);
