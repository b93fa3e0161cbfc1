import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParam } from '#kernel/input.ts';
import { type Relationship, relationshipSchema } from '#mastodon/schemas/index.ts';
import { relationshipOf } from '#queries/accounts/index.ts';
import { changeRelationship, decideAuthorize, decideReject } from '../relationships/index.ts';

const answerEndpoint = {
  method: 'POST',
  auth: 'user',
  scopes: ['write:follows', 'follow'],
  /** The requester. */
  params: z.object({ account_id: idParam.describe('The ID of the account that asked to follow.') }),
  reply: relationshipSchema,
} as const;

export const authorizeFollowRequest = endpoint({
  ...answerEndpoint,
  path: '/api/v1/follow_requests/:account_id/authorize',
  summary: 'Accept a follow request',
  handler: async (ctx, { params }) => ({ json: await answer(ctx, params.account_id, decideAuthorize) }),
});

export const rejectFollowRequest = endpoint({
  ...answerEndpoint,
  path: '/api/v1/follow_requests/:account_id/reject',
  summary: 'Reject a follow request',
  handler: async (ctx, { params }) => ({ json: await answer(ctx, params.account_id, decideReject) }),
});

/** Returns the user's relationship to the requester. @throws RookeryError `not_found` without a request */
async function answer(
  ctx: UserContext,
  followerId: string,
  decide: typeof decideAuthorize,
): Promise<Relationship> {
  await changeRelationship(ctx, { account_id: followerId, target_account_id: ctx.viewer.account_id }, decide);
  return relationshipOf(ctx, followerId);
}
