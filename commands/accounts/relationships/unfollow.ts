import { decideUnfollow } from '#commands/relationships/index.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { changeOwnRelationship, relationshipEndpoint } from './own-relationship.ts';

/** Works on suspended accounts too. */
export const unfollowAccount = endpoint({
  ...relationshipEndpoint,
  path: '/api/v1/accounts/:id/unfollow',
  summary: 'End a follow, or take back a follow request',
  scopes: ['write:follows', 'follow'],
  handler: (ctx, { params }) => changeOwnRelationship(ctx, params.id, decideUnfollow),
});
