import { visitorsFrom } from '../../queries/domain-blocks/index.ts';
import { relationshipStream } from '../../src/events/relationships.ts';
import { forEachBelow } from '../../src/kernel/batches.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { decideTurnAway, relationship } from '../relationships/index.ts';
import type { DomainBlock } from './domain-block.ts';

/**
 * Ends the follows and follow requests of everybody on a domain towards an account, each in the stream of its pair. May be
 * repeated: it goes on with who is left. The read models must hold all follows from before the block.
 */
export async function turnAway(
  ctx: CommandContext,
  { account_id, domain }: DomainBlock,
  signal: AbortSignal,
): Promise<void> {
  await forEachBelow(
    (before, limit) => visitorsFrom(ctx.db, account_id, domain, before, limit),
    ({ account_id: visitor }) =>
      ctx.execute(relationshipStream(account_id, visitor), relationship, (state) =>
        decideTurnAway(state, { account_id, target_account_id: visitor }),
      ),
    { signal },
  );
}
