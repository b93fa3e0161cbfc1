import { z } from 'zod';
import { filterIdOfKeyword } from '../../queries/filters/index.ts';
import { filterStream, type FilterEvent } from '../../src/events/filters.ts';
import type { UserContext } from '../../src/kernel/context.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { notFound } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { idParams } from '../../src/kernel/input.ts';
import { filter, ownFilter, type Filter } from './filter.ts';
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
