import type { UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { credentialAccountSchema } from '#mastodon/schemas/index.ts';
import { credentialsText } from '#queries/accounts/index.ts';
import { removePicture } from '../accounts/index.ts';

const shared = {
  method: 'DELETE',
  auth: 'user',
  scopes: ['write:accounts'],
  reply: credentialAccountSchema,
} as const;

/** https://docs.joinmastodon.org/methods/profile/. Succeeds without an avatar. */
export const deleteAvatar = endpoint({
  ...shared,
  path: '/api/v1/profile/avatar',
  summary: 'Delete your avatar',
  handler: (ctx) => remove(ctx, 'avatar'),
});

/** The same for the header. */
export const deleteHeader = endpoint({
  ...shared,
  path: '/api/v1/profile/header',
  summary: 'Delete your header',
  handler: (ctx) => remove(ctx, 'header'),
});

async function remove(ctx: UserContext, kind: 'avatar' | 'header'): Promise<Reply> {
  await removePicture(ctx, kind);
  return { text: await credentialsText(ctx.db, ctx.instance, ctx.viewer.account_id) };
}
