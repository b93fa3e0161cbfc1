import { relationshipStream } from '../../src/events/relationships.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { decideSever } from './follow.ts';
import { relationship, type Pair } from './relationship.ts';

/** Ends all follows between two accounts, including requests. May run again. */
export async function sever(ctx: CommandContext, pair: Pair): Promise<void> {
  await ctx.execute(relationshipStream(pair.account_id, pair.target_account_id), relationship, (state) =>
    decideSever(state, pair),
  );
}
