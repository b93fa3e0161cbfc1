import { forEachBelow } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { followFacts } from '#queries/accounts/index.ts';
import { followsOfOurs } from '#queries/federation/index.ts';
import {
  changeRelationship,
  decideAnswer,
  decideBlock,
  decideRemoteFollow,
  decideRemoteUnfollow,
  decideUnblock,
  decideUnfollow,
  type Pair,
  pairStream,
  relationship,
} from '../relationships/index.ts';
import { useCase } from '../use-case.ts';

/* Actions of remote accounts towards local accounts. The sender is verified already. */

/** Two accounts and the URI of the activity on its own server; null without one. */
interface RemotePair extends Pair {
  uri: string | null;
}

/** Follows a local account, or requests to; see `decideRemoteFollow`. @throws RookeryError */
export const applyRemoteFollow = useCase({
  prepare: async (ctx, pair: RemotePair) => ({
    command: { id: ctx.newId(), ...pair },
    facts: await followFacts(ctx.db, pair.account_id, pair.target_account_id),
  }),
  stream: ({ command }) => pairStream(command),
  decider: relationship,
  decide: (state, { command, facts }) => decideRemoteFollow(state, command, facts),
});

/** `uri` as in `decideRemoteUnfollow`. */
export const undoRemoteFollow = useCase({
  stream: (pair: RemotePair) => pairStream(pair),
  decider: relationship,
  decide: (state, { uri, ...pair }) => decideRemoteUnfollow(state, pair, uri),
});

/** The pair is the follow that its remote target answers. */
export const applyRemoteFollowAnswer = useCase({
  stream: (command: Pair & { answer: 'accept' | 'reject' }) => pairStream(command),
  decider: relationship,
  decide: (state, { answer, ...pair }) => decideAnswer(state, pair, answer),
});

export const applyRemoteBlock = useCase({
  prepare: (ctx, { uri, ...pair }: RemotePair) => ({
    id: ctx.newId(),
    ...pair,
    ...(uri === null ? {} : { uri }),
  }),
  stream: pairStream,
  decider: relationship,
  decide: decideBlock,
});

export const undoRemoteBlock = useCase({ stream: pairStream, decider: relationship, decide: decideUnblock });

/**
 * Ends the follows of local users by a remote account that staff suspended, because its server would still
 * show it everything it receives. May run again.
 */
export async function endFollowsOf(ctx: CommandContext, accountId: Id, signal: AbortSignal): Promise<void> {
  await forEachBelow(
    (before, limit) => followsOfOurs(ctx.db, accountId, before, limit),
    ({ target_account_id }) =>
      changeRelationship(ctx, { account_id: accountId, target_account_id }, decideUnfollow),
    { signal },
  );
}
