import { endpoint } from '../../src/kernel/endpoint.ts';
import { decideUnfollow } from '../relationships/index.ts';
import { relate, relateEndpoint } from './relate.ts';

/** Works on suspended accounts too. */
export const unfollowAccount = endpoint({
  ...relateEndpoint,
  path: '/api/v1/accounts/:id/unfollow',
  summary: 'End a follow, or take back a follow request',
  scopes: ['write:follows', 'follow'],
  handler: (ctx, { params }) => relate(ctx, params.id, decideUnfollow),
});
