import { decideRemoveFromFollowers } from '#commands/relationships/index.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { changeOwnRelationship, relationshipEndpoint } from './own-relationship.ts';

export const removeFromFollowers = endpoint({
  ...relationshipEndpoint,
  path: '/api/v1/accounts/:id/remove_from_followers',
  summary: 'Remove an account from your followers',
  scopes: ['write:follows', 'follow'],
  handler: (ctx, { params }) => changeOwnRelationship(ctx, params.id, decideRemoveFromFollowers),
});
