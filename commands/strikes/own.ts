import { z } from 'zod';
import { strikeSchema } from '../../queries/entities/schemas/index.ts';
import { strikeText } from '../../queries/strikes/index.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { idParams } from '../../src/kernel/input.ts';
import { appealStrike, withdrawAppeal } from './appeal.ts';

const own = {
  path: '/api/v1/strikes/:id/appeal',
  auth: 'user',
  scopes: ['write:accounts'],
  params: idParams,
  reply: strikeSchema,
} as const;

/** Mastodon has appeals on its pages alone, so the path is ours. */
export const fileAppeal = endpoint({
  ...own,
  method: 'POST',
  summary: 'Appeal against a strike',
  body: z.object({ text: z.string().max(20_000).nullish() }),
  handler: async (ctx, { params: { id }, body }) => {
    await appealStrike(ctx, ctx.viewer.account_id, { strikeId: id, text: body.text ?? '' });
    return { text: await strikeText(ctx, id) };
  },
});

export const withdrawOwnAppeal = endpoint({
  ...own,
  method: 'DELETE',
  summary: 'Withdraw an appeal that nobody has decided',
  handler: async (ctx, { params: { id } }) => {
    await withdrawAppeal(ctx, ctx.viewer.account_id, id);
    return { text: await strikeText(ctx, id) };
  },
});
