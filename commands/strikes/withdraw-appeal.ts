import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { strikeSchema } from '#mastodon/schemas/index.ts';
import { strikeText } from '#queries/strikes/index.ts';
import { withdrawAppeal } from './appeal.ts';

export const withdrawOwnAppeal = endpoint({
  method: 'DELETE',
  path: '/api/v1/strikes/:id/appeal',
  summary: 'Withdraw an appeal that nobody has decided',
  auth: 'user',
  scopes: ['write:accounts'],
  params: idParams,
  reply: strikeSchema,
  handler: async (ctx, { params: { id } }) => {
    await withdrawAppeal(ctx, { accountId: ctx.viewer.account_id, strikeId: id });
    return { text: await strikeText(ctx, id) };
  },
});
