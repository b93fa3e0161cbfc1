import { decideEndorse, decideUnendorse } from '#commands/relationships/index.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { changeOwnRelationship, relationshipEndpoint } from './own-relationship.ts';

const endorseEndpoint = { ...relationshipEndpoint, scopes: ['write:accounts'] };

export const endorseAccount = endpoint({
  ...endorseEndpoint,
  path: '/api/v1/accounts/:id/endorse',
  summary: 'Feature an account on your profile',
  handler: (ctx, { params }) => endorse(ctx, params.id),
});

export const unendorseAccount = endpoint({
  ...endorseEndpoint,
  path: '/api/v1/accounts/:id/unendorse',
  summary: 'Feature an account on your profile no more',
  handler: (ctx, { params }) => changeOwnRelationship(ctx, params.id, decideUnendorse),
});

/** The name of `endorse` before Mastodon 4.4. */
export const pinAccount = endpoint({
  ...endorseEndpoint,
  path: '/api/v1/accounts/:id/pin',
  summary: 'Feature an account on your profile',
  deprecated: true,
  handler: (ctx, { params }) => endorse(ctx, params.id),
});

export const unpinAccount = endpoint({
  ...endorseEndpoint,
  path: '/api/v1/accounts/:id/unpin',
  summary: 'Feature an account on your profile no more',
  deprecated: true,
  handler: (ctx, { params }) => changeOwnRelationship(ctx, params.id, decideUnendorse),
});

function endorse(ctx: UserContext, targetId: string): Promise<Reply> {
  const id = ctx.newId();
  return changeOwnRelationship(ctx, targetId, (state, pair) => decideEndorse(state, { id, ...pair }));
}
