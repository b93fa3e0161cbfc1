import { endpoint } from '../../src/kernel/endpoint.ts';
import { decideBlock, decideUnblock } from '../relationships/index.ts';
import { relate, relateEndpoint } from './relate.ts';

export const blockAccount = endpoint({
  ...relateEndpoint,
  path: '/api/v1/accounts/:id/block',
  summary: 'Block an account',
  scopes: ['write:blocks', 'follow'],
  handler: (ctx, { params }) => {
    const id = ctx.newId();
    return relate(ctx, params.id, (state, pair) => decideBlock(state, { id, ...pair }));
  },
});

export const unblockAccount = endpoint({
  ...relateEndpoint,
  path: '/api/v1/accounts/:id/unblock',
  summary: 'Unblock an account',
  scopes: ['write:blocks', 'follow'],
  handler: (ctx, { params }) => relate(ctx, params.id, decideUnblock),
});
