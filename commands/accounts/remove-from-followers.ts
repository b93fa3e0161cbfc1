import { endpoint } from '../../src/kernel/endpoint.ts';
import { decideRemoveFromFollowers } from '../relationships/index.ts';
import { relate, relateEndpoint } from './relate.ts';

export const removeFromFollowers = endpoint({
  ...relateEndpoint,
  path: '/api/v1/accounts/:id/remove_from_followers',
  summary: 'Remove an account from your followers',
  scopes: ['write:follows', 'follow'],
  handler: (ctx, { params }) => relate(ctx, params.id, decideRemoveFromFollowers),
});
