import { followFacts } from '../../queries/accounts/index.ts';
import { followsOfOurs } from '../../queries/federation/index.ts';
import { relationshipStream, type RelationshipEvent } from '../../src/events/relationships.ts';
import { forEachBelow } from '../../src/kernel/batches.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';
import {
  decideAnswer,
  decideBlock,
  decideRemoteFollow,
  decideRemoteUnfollow,
  decideUnblock,
  decideUnfollow,
  relationship,
  type Pair,
  type RelationshipState,
} from '../relationships/index.ts';

/* Actions of remote accounts towards local accounts. The sender is verified already. */

/** Follows a local account, or requests to; see `decideRemoteFollow`. @throws RookeryError */
export async function applyRemoteFollow(ctx: CommandContext, pair: Pair, uri: string | null): Promise<void> {
  const facts = await followFacts(ctx.db, pair.account_id, pair.target_account_id);
  const command = { id: ctx.newId(), ...pair, uri };
  await between(ctx, pair, (state) => decideRemoteFollow(state, command, facts));
}

/** `uri` as in `decideRemoteUnfollow`. @returns whether anything was undone */
export const undoRemoteFollow = (ctx: CommandContext, pair: Pair, uri: string | null): Promise<boolean> =>
  between(ctx, pair, (state) => decideRemoteUnfollow(state, pair, uri));

/** `pair` is the follow that its remote target answers. @returns whether that changes anything */
export const applyRemoteFollowAnswer = (
  ctx: CommandContext,
  pair: Pair,
  answer: 'accept' | 'reject',
): Promise<boolean> => between(ctx, pair, (state) => decideAnswer(state, pair, answer));

/** `uri` is the block's URI on its own server; null without one. */
export async function applyRemoteBlock(ctx: CommandContext, pair: Pair, uri: string | null): Promise<void> {
  const id = ctx.newId();
  const named = uri === null ? {} : { uri };
  await between(ctx, pair, (state) => decideBlock(state, { id, ...pair, ...named }));
}

/** @returns whether anything was undone */
export const undoRemoteBlock = (ctx: CommandContext, pair: Pair): Promise<boolean> =>
  between(ctx, pair, (state) => decideUnblock(state, pair));

/**
 * Ends the follows of local users by a remote account that staff suspended, because its server would still
 * show it everything it receives. May run again.
 */
export async function endFollowsOf(ctx: CommandContext, accountId: Id, signal: AbortSignal): Promise<void> {
  await forEachBelow(
    (before, limit) => followsOfOurs(ctx.db, accountId, before, limit),
    ({ target_account_id }) => {
      const pair = { account_id: accountId, target_account_id };
      return between(ctx, pair, (state) => decideUnfollow(state, pair));
    },
    { signal },
  );
}

async function between(
  ctx: CommandContext,
  { account_id, target_account_id }: Pair,
  decide: (state: RelationshipState) => RelationshipEvent[],
): Promise<boolean> {
  const stream = relationshipStream(account_id, target_account_id);
  return (await ctx.execute(stream, relationship, decide)).events.length > 0;
}
