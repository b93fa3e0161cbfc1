import { changeRelationship, type Pair, type RelationshipState } from '#commands/relationships/index.ts';
import type { RelationshipEvent } from '#events/relationships.ts';
import type { UserContext } from '#kernel/context.ts';
import { idParams } from '#kernel/input.ts';
import { type Relationship, relationshipSchema } from '#mastodon/schemas/index.ts';
import { relationshipOf, requireAccount } from '#queries/accounts/index.ts';

/** The common declaration of endpoints that change a relationship of the user to another account. */
export const relationshipEndpoint = {
  method: 'POST',
  auth: 'user',
  params: idParams,
  reply: relationshipSchema,
} as const;

/**
 * Decides about the relationship of the user and an account, which may be suspended.
 * @returns the relationship afterwards @throws RookeryError `not_found` for an unknown account
 */
export async function changeOwnRelationship(
  ctx: UserContext,
  targetId: string,
  decide: (state: RelationshipState, pair: Pair) => readonly RelationshipEvent[],
): Promise<{ json: Relationship }> {
  const pair = { account_id: ctx.viewer.account_id, target_account_id: targetId };
  await requireAccount(ctx.db, targetId);
  await changeRelationship(ctx, pair, decide);
  return { json: await relationshipOf(ctx, targetId) };
}
