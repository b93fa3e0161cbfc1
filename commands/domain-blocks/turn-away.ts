import { visitorsFrom } from '../../queries/domain-blocks/index.ts';
import { relationshipStream } from '../../src/events/relationships.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { decideTurnAway, relationship } from '../relationships/index.ts';
import type { DomainBlock } from './domain-block.ts';

/** Followers that are turned away at once: few enough for memory, enough that appends share commits. */
const BATCH = 100;
/** Of bigint: before every follow. */
const LARGEST_ID = '9223372036854775807';

/**
 * Ends the follows and follow requests of everybody on a domain towards an account, each in the stream of its pair. May be
 * repeated: it goes on with who is left. The read models must hold all follows from before the block.
 */
export async function turnAway(
  ctx: CommandContext,
  { account_id, domain }: DomainBlock,
  signal: AbortSignal,
): Promise<void> {
  for (let before = LARGEST_ID; ;) {
    signal.throwIfAborted();
    const visitors = await visitorsFrom(ctx.db, account_id, domain, before, BATCH);
    await Promise.all(
      visitors.map(({ account_id: visitor }) =>
        ctx.execute(relationshipStream(account_id, visitor), relationship, (state) =>
          decideTurnAway(state, { account_id, target_account_id: visitor }),
        ),
      ),
    );
    const last = visitors.at(-1);
    if (last === undefined || visitors.length < BATCH) return;
    before = last.id;
  }
}
