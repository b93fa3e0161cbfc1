import { whoBlocks, whoMutes, type Muter } from '../../queries/accounts/index.ts';
import { relationshipStream } from '../../src/events/relationships.ts';
import { forEachBelow } from '../../src/kernel/batches.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';
import {
  decideBlockAlong,
  decideMuteAlong,
  relationship,
  type RelationshipState,
} from '../relationships/index.ts';

/**
 * Lets the local accounts that block or mute an account that has moved block or mute the new one as well, which is the same person.
 * Whoever follows that by choice, or shuns it already, goes on as before. May be repeated. The read models must hold the move.
 */
export async function shunAlong(
  ctx: CommandContext,
  { account_id: old, target_account_id }: { account_id: Id; target_account_id: Id },
  signal: AbortSignal,
): Promise<void> {
  const block = async ({ id: account_id }: { id: Id }): Promise<void> => {
    const command = { id: ctx.newId(), account_id, target_account_id };
    const decide = (state: RelationshipState) => decideBlockAlong(state, command);
    await ctx.execute(relationshipStream(account_id, target_account_id), relationship, decide, {
      step: 'block',
    });
  };
  const mute = async ({ id: account_id, ...terms }: Muter): Promise<void> => {
    const command = { id: ctx.newId(), account_id, target_account_id, now: ctx.now, ...terms };
    const decide = (state: RelationshipState) => decideMuteAlong(state, command);
    await ctx.execute(relationshipStream(account_id, target_account_id), relationship, decide, {
      step: 'mute',
    });
  };
  await forEachBelow((before, limit) => whoBlocks(ctx.db, old, before, limit), block, { signal });
  await forEachBelow((before, limit) => whoMutes(ctx.db, old, before, limit), mute, { signal });
}
