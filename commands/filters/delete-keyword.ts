import { z } from 'zod';
import { type FilterEvent, filterStream } from '#events/filters.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { filterIdOfKeyword } from '#queries/filters/index.ts';
import { type Filter, filter, ownFilter } from './filter.ts';
import { keywordsEdited } from './keywords.ts';

const declared = {
  method: 'DELETE',
  auth: 'user',
  scopes: ['write:filters'],
  params: idParams,
  reply: z.strictObject({}),
} as const;

export const deleteKeyword = endpoint({
  ...declared,
  path: '/api/v2/filters/keywords/:id',
  summary: 'Remove a keyword from its filter',
  handler: (ctx, { params }) => remove(ctx, params.id),
});

/** The specification has keywords under v1, too. */
export const deleteKeywordUnderV1 = endpoint({
  ...declared,
  path: '/api/v1/filters/keywords/:id',
  summary: 'Remove a keyword from its filter',
  handler: (ctx, { params }) => remove(ctx, params.id),
});

/** A v1 filter is a keyword: its filter stays, as in Mastodon. */
export const deleteV1Filter = endpoint({
  ...declared,
  path: '/api/v1/filters/:id',
  summary: 'Remove a keyword from its filter',
  deprecated: true,
  deprecatedOn: '2022-11-14',
  handler: (ctx, { params }) => remove(ctx, params.id),
});

async function remove(ctx: UserContext, id: Id): Promise<{ json: object }> {
  const accountId = ctx.viewer.account_id;
  const filterId = await filterIdOfKeyword(ctx.db, accountId, id);
  await ctx.execute(filterStream(filterId), filter, (state) => decideDeleteKeyword(state, accountId, id));
  return { json: {} };
}

/** Pure. @throws RookeryError `not_found` */
export function decideDeleteKeyword(state: Filter, accountId: Id, id: Id): FilterEvent[] {
  const own = ownFilter(state, accountId);
  if (!own.keywords.has(id)) throw notFound();
  return keywordsEdited(own, { added: [], changed: [], removed: [id] });
}
