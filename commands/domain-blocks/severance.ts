import { type SeveranceEvent, severanceStream } from '#events/severed-relationships.ts';
import type { Decider } from '#kernel/decider.ts';
import type { Id } from '#kernel/ids.ts';
import type { FollowCounts } from '#queries/domain-blocks/index.ts';
import { useCase } from '../use-case.ts';

/** Stream `severed-relationships-<account>-<id>`: whether the account's loss was counted. */
export const severance: Decider<boolean, SeveranceEvent> = { initialState: false, evolve: () => true };

export type Severance = Pick<SeveranceEvent['data'], 'id' | 'type' | 'target_name'>;

/** Counts once, and only for an account that loses follows. Pure. */
export function decideSeverance(counted: boolean, data: SeveranceEvent['data']): SeveranceEvent[] {
  if (counted || data.followers_count + data.following_count === 0) return [];
  return [{ type: 'RelationshipsSevered', data }];
}

/**
 * Records the follows that an account is about to lose, which causes its notification. The first count stays.
 */
export const recordSeverance = useCase({
  stream: ({ account_id, id }: Severance & FollowCounts & { account_id: Id }) =>
    severanceStream(account_id, id),
  decider: severance,
  decide: decideSeverance,
});
