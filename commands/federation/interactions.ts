import type { Visibility } from '#events/accounts.ts';
import { type InteractionEvent, interactionStream } from '#events/interactions.ts';
import { type PollEvent, voteStream } from '#events/polls.ts';
import type { CommandContext } from '#kernel/context.ts';
import { forbidden } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { PollVoters } from '#queries/polls/index.ts';
import { decideVote, type PollFacts, type Vote, vote } from '../polls.ts';
import {
  decideFavourite,
  decideReblog,
  decideUnfavourite,
  decideUnreblog,
  interaction,
  type Target,
} from '../statuses/index.ts';
import { useCase } from '../use-case.ts';

/* Interactions of remote accounts with posts that they may see. */

/** `uri` is the favourite's URI on its own server; null without one. */
export const applyRemoteFavourite = useCase({
  prepare: (ctx, { uri, ...target }: Target & { uri: string | null }) => ({ uri, target, id: ctx.newId() }),
  stream: ({ target }) => streamOf(target),
  decider: interaction,
  decide: (state, { uri, target, id }): InteractionEvent[] =>
    decideFavourite(state, target, id).map((event) =>
      uri !== null && event.type === 'StatusFavourited'
        ? { type: event.type, data: { ...event.data, uri } }
        : event,
    ),
});

export const undoRemoteFavourite = useCase({
  stream: streamOf,
  decider: interaction,
  decide: (state, target) => decideUnfavourite(state, target, ''),
});

/** A reblog as its own server describes it. */
export interface RemoteReblog {
  uri: string;
  /** ISO 8601. */
  createdAt: string;
  visibility: Visibility;
  /** The URI of its authorization; null when it needs none. */
  authorization: string | null;
}

/** @returns the id of the reblog. @throws RookeryError `forbidden` for a private post of another account */
export async function applyRemoteReblog(
  ctx: CommandContext,
  target: Target & { status_visibility: Visibility },
  { uri, createdAt, visibility, authorization }: RemoteReblog,
): Promise<Id | undefined> {
  const { status_visibility, ...pair } = target;
  const command = { id: ctx.newId(), local: false, now: createdAt, uri, visibility, ...pair };
  const post = { account_id: pair.status_account_id, visibility: status_visibility };
  const { state } = await ctx.execute(streamOf(pair), interaction, (before): InteractionEvent[] =>
    decideReblog(before, command, post).map((event) =>
      authorization !== null && event.type === 'StatusReblogged'
        ? { type: event.type, data: { ...event.data, authorization } }
        : event,
    ),
  );
  return state.reblog?.id;
}

export const undoRemoteReblog = useCase({ stream: streamOf, decider: interaction, decide: decideUnreblog });

/** Accounts of one site that became known after a poll was posted: so many of them may vote in any case. */
export const STRANGERS_OF_A_SITE = 25;

/** An account that became known after a poll was posted, and the present votes of its site. */
export interface Stranger extends PollVoters {
  site: string;
}

/**
 * Tells whether one more stranger of a site may vote: past the first few, its strangers must not outnumber
 * all other voters.
 */
export const mayVoteAsStranger = ({ voters, strangers }: PollVoters): boolean =>
  strangers < Math.max(STRANGERS_OF_A_SITE, voters - strangers);

/**
 * Votes for one option by its title. @throws RookeryError as `decideVote`; `forbidden` for one stranger too
 * many
 */
export const applyRemoteVote = useCase({
  prepare: (ctx, { poll, ...cast }: Omit<RemoteVote, 'id' | 'now'> & { poll: PollFacts }) => ({
    poll,
    cast: { id: ctx.newId(), now: ctx.now, ...cast },
  }),
  stream: ({ poll, cast }) => voteStream(poll.poll_round, cast.accountId),
  decider: vote,
  decide: (state, { cast, poll }) => decideRemoteVote(state, cast, poll),
});

interface RemoteVote {
  id: Id;
  now: string;
  accountId: Id;
  title: string;
  stranger?: Stranger | undefined;
}

/**
 * Like `decideVote`, but each choice comes separately. A repeat changes nothing, and an unknown option is
 * ignored. Pure.
 * @throws RookeryError `invalid`, `forbidden`
 */
export function decideRemoteVote(
  state: Vote,
  { title, stranger, ...cast }: RemoteVote,
  poll: PollFacts,
): PollEvent[] {
  const choice = (JSON.parse(poll.poll_options) as string[]).indexOf(title);
  if (choice === -1 || state.choices.includes(choice)) return [];
  const events = decideVote(state, { ...cast, choices: [String(choice)] }, poll);
  if (state.voted || !stranger) return events;
  if (!mayVoteAsStranger(stranger)) throw forbidden();
  return events.map(({ type, data }) => ({ type, data: { ...data, stranger_of: stranger.site } }));
}

function streamOf({ account_id, status_id }: Target): string {
  return interactionStream(account_id, status_id);
}
