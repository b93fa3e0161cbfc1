import { type RelationshipEvent, relationshipStream } from '#events/relationships.ts';
import { forEachBelow } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { localBlockersOf, localMutersOf, type Muter } from '#queries/accounts/index.ts';
import {
  decideMoveBlock,
  decideMoveMute,
  type Pair,
  relationship,
  type RelationshipState,
} from '../relationships/index.ts';

type Decide = (state: RelationshipState, command: Pair & { id: Id }) => readonly RelationshipEvent[];

/**
 * Copies local blocks and mutes of a moved account to the new one, which belongs to the same user. Existing
 * follows, blocks and mutes of the new one stay. May run again. The read models must contain the move.
 */
export async function moveBlocksAndMutes(
  ctx: CommandContext,
  { account_id: old, target_account_id }: { account_id: Id; target_account_id: Id },
  signal: AbortSignal,
): Promise<void> {
  const copy = (step: string, account_id: Id, decide: Decide): Promise<unknown> => {
    const command = { id: ctx.newId(), account_id, target_account_id };
    const stream = relationshipStream(account_id, target_account_id);
    return ctx.execute(stream, relationship, (state) => decide(state, command), { step });
  };
  const block = ({ id }: { id: Id }) => copy('block', id, decideMoveBlock);
  const mute = ({ id, ...terms }: Muter) =>
    copy('mute', id, (state, command) => decideMoveMute(state, { ...command, ...terms, now: ctx.now }));
  await forEachBelow((before, limit) => localBlockersOf(ctx.db, old, before, limit), block, { signal });
  await forEachBelow((before, limit) => localMutersOf(ctx.db, old, before, limit), mute, { signal });
}
