import { lift } from '#commands/accounts/index.ts';
import type { Lifting } from '#events/moderation.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { adminAccountSchema } from '#mastodon/schemas/index.ts';
import { adminAccountText } from '#queries/admin/accounts/index.ts';

/** The common declaration of endpoints that return the changed account. */
export const moderationEndpoint = {
  method: 'POST',
  auth: 'user',
  scopes: ['admin:write:accounts'],
  permission: 'manage_users',
  params: idParams,
  reply: adminAccountSchema,
} as const;

const lifting = <const Path extends string>(path: Path, what: Lifting, summary: string) =>
  endpoint({
    ...moderationEndpoint,
    path,
    summary,
    handler: async (ctx, { params }) => {
      await lift(ctx, params.id, what, ctx.viewer);
      return { text: await adminAccountText(ctx, params.id) };
    },
  });

/** https://docs.joinmastodon.org/methods/admin/accounts/#enable */
export const enableAccount = lifting(
  '/api/v1/admin/accounts/:id/enable',
  'enable',
  'Let a user sign in again',
);
/** https://docs.joinmastodon.org/methods/admin/accounts/#unsensitive */
export const unsensitiveAccount = lifting(
  '/api/v1/admin/accounts/:id/unsensitive',
  'unsensitive',
  "Mark an account's posts as sensitive no longer",
);
/** https://docs.joinmastodon.org/methods/admin/accounts/#unsilence */
export const unsilenceAccount = lifting(
  '/api/v1/admin/accounts/:id/unsilence',
  'unsilence',
  'Limit an account no longer',
);
/** https://docs.joinmastodon.org/methods/admin/accounts/#unsuspend */
export const unsuspendAccount = lifting(
  '/api/v1/admin/accounts/:id/unsuspend',
  'unsuspend',
  'Bring a suspended account back',
);
