import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParam, idParams } from '#kernel/input.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type FilterKeyword, filterKeywordSchema } from '#mastodon/schemas/index.ts';
import { ownFilterOf } from './read.ts';

const KEYWORD = statement<FilterKeyword>(
  'filter_keyword',
  'select id, keyword, whole_word from filter_keywords where id = $1 and account_id = $2',
);

/** Throws RookeryError `not_found` for another user's keyword, like for a missing one. */
export async function ownKeywordOf(db: Db, accountId: Id, id: Id): Promise<FilterKeyword> {
  const [keyword] = await db.query(KEYWORD, [id, accountId]);
  if (!keyword) throw notFound();
  return keyword;
}

export const listKeywords = endpoint({
  method: 'GET',
  path: '/api/v2/filters/:filter_id/keywords',
  summary: 'View the keywords of a filter',
  auth: 'user',
  scopes: ['read:filters'],
  params: z.object({ filter_id: idParam.describe('The ID of the filter.') }),
  reply: z.array(filterKeywordSchema),
  handler: async (ctx, { params }) => {
    return { json: (await ownFilterOf(ctx.db, ctx.viewer.account_id, params.filter_id)).keywords };
  },
});

const declared = {
  method: 'GET',
  auth: 'user',
  scopes: ['read:filters'],
  params: idParams,
  reply: filterKeywordSchema,
} as const;

export const showKeyword = endpoint({
  ...declared,
  path: '/api/v2/filters/keywords/:id',
  summary: 'View a keyword',
  handler: async (ctx, { params }) => ({
    json: await ownKeywordOf(ctx.db, ctx.viewer.account_id, params.id),
  }),
});

/** The specification has keywords under v1 too. */
export const showKeywordUnderV1 = endpoint({
  ...declared,
  path: '/api/v1/filters/keywords/:id',
  summary: 'View a keyword',
  handler: async (ctx, { params }) => ({
    json: await ownKeywordOf(ctx.db, ctx.viewer.account_id, params.id),
  }),
});
