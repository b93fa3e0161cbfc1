import { z } from 'zod';
import { type PollEvent, voteStream } from '#events/polls.ts';
import type { Decider } from '#kernel/decider.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { forbidden, invalid, parameterMissing } from '#kernel/errors.ts';
import { formStringArray, idParams } from '#kernel/input.ts';
import { pollSchema } from '#mastodon/schemas/index.ts';
import { pollText, type VisiblePoll, visiblePoll } from '#queries/polls/index.ts';

/** The choices of one account in one poll: indexes of options. */
export interface Vote {
  voted: boolean;
  choices: readonly number[];
}

/** Stream `vote-<poll>-<account>`. */
export const vote: Decider<Vote, PollEvent> = {
  initialState: { voted: false, choices: [] },
  evolve: ({ choices }, { data }) => ({ voted: true, choices: [...choices, ...data.choices] }),
};

/** A list with at least one item. Rails treats any other value as a missing parameter. */
const choicesInput = z.preprocess((value: readonly string[] | undefined) => {
  const list = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return list.some((item) => item !== '') ? value : undefined;
}, formStringArray(500, 5_000).optional());

export const voteInPoll = endpoint({
  method: 'POST',
  path: '/api/v1/polls/:id/votes',
  summary: 'Vote in a poll',
  auth: 'user',
  scopes: ['write:statuses'],
  params: idParams,
  body: z.object({
    choices: choicesInput.describe(
      'Indexes of the chosen options, counted from 0; only a multiple-choice poll takes more than one, also in later votes.',
    ),
  }),
  requires: ['choices'],
  reply: pollSchema,
  handler: async (ctx, { params, body }) => {
    const poll = await visiblePoll(ctx, params.id);
    if (poll.author_blocked) throw forbidden();
    // As in Mastodon, a missing poll is reported before missing choices.
    if (!body.choices) throw parameterMissing('choices');
    const command = {
      id: ctx.newId(),
      now: ctx.now,
      accountId: ctx.viewer.account_id,
      choices: body.choices,
    };
    await ctx.execute(voteStream(poll.poll_round, command.accountId), vote, (state) =>
      decideVote(state, command, poll),
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
  | 'status_id'
  | 'poll_round'
  | 'poll_account_id'
  | 'poll_options'
  | 'poll_multiple'
  | 'poll_expires_at'
  | 'poll_expired'
>;

/**
 * Casts a vote while the poll is open: once per account, or once per option in a multiple-choice poll. Pure.
 * @throws RookeryError `invalid` with all problems of the first unacceptable choice
 */
export function decideVote(
  { voted, choices: before }: Vote,
  command: CastVote,
  poll: PollFacts,
): PollEvent[] {
  const titles = JSON.parse(poll.poll_options) as string[];
  const over =
    poll.poll_expired === true || (poll.poll_expires_at !== null && poll.poll_expires_at <= command.now);
  const own = poll.poll_account_id === command.accountId;
  const chosen: number[] = [];
  for (const choice of command.choices) {
    const index = indexOf(choice, titles);
    const again = poll.poll_multiple
      ? index !== undefined && (before.includes(index) || chosen.includes(index))
      : voted || chosen.length > 0;
    const problems = [
      ...(over ? ['The poll has already ended'] : []),
      ...(index === undefined ? ['The chosen vote option does not exist'] : []),
      ...(own ? ['You cannot vote in your own polls'] : []),
      ...(again ? ['You have already voted on this poll'] : []),
    ];
    if (problems.length > 0) throw invalid(`Validation failed: ${problems.join(', ')}`);
    if (index !== undefined) chosen.push(index);
  }
  return [
    {
      type: 'VoteCast',
      data: {
        id: command.id,
        poll_id: poll.poll_round,
        status_id: poll.status_id,
        account_id: command.accountId,
        choices: chosen,
        cast_at: command.now,
        ...(voted ? { more: true as const } : {}),
      },
    },
  ];
}

/** Returns undefined for an unknown option. */
function indexOf(choice: string, titles: readonly string[]): number | undefined {
  const index = /^[0-9]{1,3}$/.test(choice) ? Number(choice) : titles.indexOf(choice);
  return index < 0 || index >= titles.length ? undefined : index;
}

export const pollCommands = [voteInPoll];
