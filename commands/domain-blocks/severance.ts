import type { FollowCounts } from '../../queries/domain-blocks/index.ts';
import { severanceStream, type SeveranceEvent } from '../../src/events/severed-relationships.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Decider } from '../../src/kernel/decider.ts';
import type { Id } from '../../src/kernel/ids.ts';

/** Stream `severed-relationships-<account>-<id>`: whether the account's loss was counted. */
export const severance: Decider<boolean, SeveranceEvent> = {
  initialState: false,
  evolve: () => true,
};

export type Severance = Pick<SeveranceEvent['data'], 'id' | 'type' | 'target_name'>;

/** Counts once, and only for an account that loses follows. Pure. */
export function decideSeverance(counted: boolean, data: SeveranceEvent['data']): SeveranceEvent[] {
  if (counted || data.followers_count + data.following_count === 0) return [];
  return [{ type: 'RelationshipsSevered', data }];
}

/**
 * Records the follows that an account is about to lose, which causes its notification. The first count stays.
 */
export async function recordSeverance(
  ctx: CommandContext,
  severed: Severance,
  accountId: Id,
  { followers_count, following_count }: FollowCounts,
): Promise<void> {
  const data = { ...severed, account_id: accountId, followers_count, following_count };
  await ctx.execute(severanceStream(accountId, severed.id), severance, (state) =>
    decideSeverance(state, data),
  );
}
