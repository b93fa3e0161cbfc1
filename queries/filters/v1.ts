import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { type Db, statement } from '#kernel/read.ts';
import {
  type Filter,
  type FilterContext,
  type FilterKeyword,
  type V1Filter,
  v1FilterSchema,
} from '#mastodon/schemas/index.ts';

/** Selects the keywords of an account ($1), or one of them ($2), each with its filter. */
const FILTERS = statement<Row>(
  'filters_v1',
  `select k.id, k.keyword, k.whole_word, f.context, f.expires_at, f.filter_action
   from filter_keywords k join filters f on f.id = k.filter_id
   where k.account_id = $1 and ($2::bigint is null or k.id = $2) order by k.id`,
);

type Row = FilterKeyword & Pick<Filter, 'filter_action'> & { context: string; expires_at: string | null };

/**
 * Finds a filter by the id of its keyword. @throws RookeryError `not_found` for another user's, like for a
 * missing one
 */
export async function ownV1FilterOf(db: Db, accountId: Id, keywordId: Id): Promise<V1Filter> {
  const [row] = await db.query(FILTERS, [accountId, keywordId]);
  if (!row) throw notFound();
  return v1Filter(row);
}

/** A user has at most a thousand keywords, and apps want all of them. */
export const listV1Filters = endpoint({
  method: 'GET',
  path: '/api/v1/filters',
  summary: 'View your keywords, each as a filter',
  auth: 'user',
  scopes: ['read:filters'],
  deprecated: true,
  deprecatedOn: '2022-11-14',
  reply: z.array(v1FilterSchema),
  handler: async (ctx) => {
    const rows = await ctx.db.query(FILTERS, [ctx.viewer.account_id, null]);
    return { json: rows.map(v1Filter) };
  },
});

export const showV1Filter = endpoint({
  method: 'GET',
  path: '/api/v1/filters/:id',
  summary: 'View a keyword as a filter',
  auth: 'user',
  scopes: ['read:filters'],
  deprecated: true,
  deprecatedOn: '2022-11-14',
  params: idParams,
  reply: v1FilterSchema,
  handler: async (ctx, { params }) => {
    return { json: await ownV1FilterOf(ctx.db, ctx.viewer.account_id, params.id) };
  },
});

/** https://docs.joinmastodon.org/entities/V1_Filter/ */
const v1Filter = (row: Row): V1Filter => ({
  id: row.id,
  phrase: row.keyword,
  context: JSON.parse(row.context) as FilterContext[],
  expires_at: row.expires_at,
  irreversible: row.filter_action === 'hide',
  whole_word: row.whole_word,
});
