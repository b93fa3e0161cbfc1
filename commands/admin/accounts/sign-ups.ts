import { approveSignUp, rejectSignUp } from '#commands/accounts/index.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { adminAccountText } from '#queries/admin/accounts/index.ts';
import { moderationEndpoint } from './lift.ts';

/** https://docs.joinmastodon.org/methods/admin/accounts/#approve */
export const approveAccount = endpoint({
  ...moderationEndpoint,
  path: '/api/v1/admin/accounts/:id/approve',
  summary: 'Let somebody in whose sign-up waits for it',
  handler: async (ctx, { params }) => {
    await approveSignUp(ctx, params.id, ctx.viewer);
    return { text: await adminAccountText(ctx, params.id) };
  },
});

/**
 * Replies with the account before the rejection. https://docs.joinmastodon.org/methods/admin/accounts/#reject
 */
export const rejectAccount = endpoint({
  ...moderationEndpoint,
  path: '/api/v1/admin/accounts/:id/reject',
  summary: 'Turn down a sign-up that waits',
  handler: async (ctx, { params }) => {
    const text = await adminAccountText(ctx, params.id);
    await rejectSignUp(ctx, params.id, ctx.viewer);
    return { text };
  },
});
