import { relationshipOf } from '../../queries/accounts/index.ts';
import { relationshipSchema } from '../../queries/entities/schemas/index.ts';
import { relationshipStream } from '../../src/events/relationships.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { idParams } from '../../src/kernel/input.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { decideUnfollow, relationship } from '../relationships/index.ts';

/** Works on suspended accounts too. Nothing is between us and an unknown one, so the reply is what finds out. */
export const unfollowAccount = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/unfollow',
  summary: 'End a follow, or take back a follow request',
  auth: 'user',
  scopes: ['write:follows', 'follow'],
  params: idParams,
  reply: relationshipSchema,
  handler: async (ctx, { params }) => {
    const pair = { account_id: ctx.viewer.account_id, target_account_id: params.id };
    await ctx.execute(relationshipStream(pair.account_id, pair.target_account_id), relationship, (state) =>
      decideUnfollow(state, pair),
    );
    await ctx.settle([MAIN]);
    return { json: await relationshipOf(ctx.db, pair.account_id, params.id) };
  },
});
