import { type RelationshipEvent, relationshipStream } from '#events/relationships.ts';
import type { CommandContext, Executed } from '#kernel/context.ts';
import { type Pair, relationship, type RelationshipState } from './relationship.ts';

export const pairStream = ({ account_id, target_account_id }: Pair): string =>
  relationshipStream(account_id, target_account_id);

/** Decides about two accounts. @throws the decision's errors */
export const changeRelationship = (
  ctx: CommandContext,
  pair: Pair,
  decide: (state: RelationshipState, pair: Pair) => readonly RelationshipEvent[],
): Promise<Executed<RelationshipState, RelationshipEvent>> =>
  ctx.execute(pairStream(pair), relationship, (state) => decide(state, pair));
