import { z } from 'zod';
import { MAX_APPEAL } from '#events/appeals.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { strikeSchema } from '#mastodon/schemas/index.ts';
import { strikeText } from '#queries/strikes/index.ts';
import { appealStrike } from './appeal.ts';

/** Mastodon has appeals only on its web pages, so the path is Rookery's own. */
export const fileAppeal = endpoint({
  method: 'POST',
  path: '/api/v1/strikes/:id/appeal',
  summary: 'Appeal against a strike',
  auth: 'user',
  scopes: ['write:accounts'],
  params: idParams,
  body: z.object({
    text: z
      .string()
      .max(20_000)
      .nullish()
      .describe(`Why the strike should be lifted, in at most ${MAX_APPEAL} characters.`),
  }),
  requires: ['text'],
  reply: strikeSchema,
  handler: async (ctx, { params: { id }, body }) => {
    const { account_id: accountId } = ctx.viewer;
    await appealStrike(ctx, { accountId, strikeId: id, text: body.text ?? '' });
    return { text: await strikeText(ctx, id) };
  },
});
