import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { jsonArray } from '#kernel/json-pieces.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { strikeSchema } from '#mastodon/schemas/index.ts';
import { strikeJson, type StrikeRow, STRIKES, strikeText } from './strike.ts';

const PAGE = keysetStatement<StrikeRow>(
  'strikes',
  (order) => `
    ${STRIKES} where w.account_id = $1 and w.id < $2 and w.id > $3 order by w.id ${order} limit $4`,
);

const own = { method: 'GET', auth: 'user', scopes: ['read:accounts'] } as const;

/**
 * The actions of staff against the viewer's account, newest first. Mastodon shows them on web pages only, so
 * the path is Rookery's own.
 */
export const listStrikes = endpoint({
  ...own,
  path: '/api/v1/strikes',
  summary: 'View what staff did to your account',
  query: z.object(pageParameters(20, 40)),
  reply: z.array(strikeSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, PAGE, query, ({ id }) => id);
    return { text: jsonArray(rows.map((row) => strikeJson(row, ctx.instance))), page };
  },
});

export const showStrike = endpoint({
  ...own,
  path: '/api/v1/strikes/:id',
  summary: 'View one thing that staff did to your account',
  params: idParams,
  reply: strikeSchema,
  handler: async (ctx, { params: { id } }) => {
    return { text: await strikeText(ctx, id) };
  },
});
