import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { accountSchema } from '#mastodon/schemas/index.ts';
import { accountIdOf, accountText } from '#queries/accounts/index.ts';
import { follow, isNewFollow } from './accounts/index.ts';

/**
 * By `name`, `name@domain` or ActivityPub URI. Replies 404 for an account that is unknown, or whose server
 * this one cannot talk to.
 */
export const followByName = endpoint({
  method: 'POST',
  path: '/api/v1/follows',
  summary: 'Follow an account by its name',
  auth: 'user',
  scopes: ['write:follows', 'follow'],
  body: z.object({
    uri: z
      .string()
      .max(2_400)
      .nullable()
      .default('')
      .describe(
        'The account as `name`, as `name@domain`, or by its ActivityPub URI; this server must know it already.',
      ),
  }),
  requires: ['uri'],
  limit: 'follows',
  countsWhen: async (ctx, { body }) => {
    const targetId = await accountIdOf(ctx.db, ctx.instance, body.uri ?? '');
    return targetId !== undefined && isNewFollow(ctx, targetId);
  },
  reply: accountSchema,
  errors: [404],
  handler: async (ctx, { body }) => {
    const targetId = await accountIdOf(ctx.db, ctx.instance, body.uri ?? '');
    if (targetId === undefined) throw notFound();
    await follow(ctx, targetId, {});
    return { text: await accountText(ctx.db, ctx.instance, targetId) };
  },
});

export const followCommands = [followByName];
