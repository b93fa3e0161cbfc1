import { decideBlock, decideUnblock } from '#commands/relationships/index.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { changeOwnRelationship, relationshipEndpoint } from './own-relationship.ts';

export const blockAccount = endpoint({
  ...relationshipEndpoint,
  path: '/api/v1/accounts/:id/block',
  summary: 'Block an account',
  scopes: ['write:blocks', 'follow'],
  handler: (ctx, { params }) => {
    const id = ctx.newId();
    return changeOwnRelationship(ctx, params.id, (state, pair) => decideBlock(state, { id, ...pair }));
  },
});

export const unblockAccount = endpoint({
  ...relationshipEndpoint,
  path: '/api/v1/accounts/:id/unblock',
  summary: 'Unblock an account',
  scopes: ['write:blocks', 'follow'],
  handler: (ctx, { params }) => changeOwnRelationship(ctx, params.id, decideUnblock),
});
