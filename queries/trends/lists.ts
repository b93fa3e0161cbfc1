import { z } from 'zod';
import type { RequestContext } from '../../src/kernel/context.ts';
import { endpoint, type Endpoint, type Reply } from '../../src/kernel/endpoint.ts';
import type { JsonPieces } from '../../src/kernel/json-pieces.ts';
import { offsetPage, offsetParameters, type OffsetPage } from '../../src/kernel/offset-paging.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import type { Statement } from '../../src/kernel/read.ts';
import { preferredLanguages } from './languages.ts';

/** Most that staff gets at once. */
const MOST_FOR_STAFF = 100;

interface TrendList<Row> {
  path: string;
  staffPath: string;
  /** What people call them. */
  what: string;
  limit: { usual: number; most: number };
  /** $1 the reader, $2 languages that come first, $3 offset, $4 how many, of which it gives one more; then `values`. */
  statement: Statement;
  values?: (ctx: RequestContext) => unknown[];
  reply: z.ZodType;
  text: (ctx: RequestContext, rows: readonly Row[]) => Promise<JsonPieces> | JsonPieces;
}

/** What trends, for everybody, in the reader's languages first, and for staff. */
export function trendLists<Row>(list: TrendList<Row>): { forAll: Endpoint; forStaff: Endpoint } {
  const { path, staffPath, what, limit, reply } = list;
  const read = async (
    ctx: RequestContext,
    page: OffsetPage,
    languages: readonly string[],
    url: string,
  ): Promise<Reply> => {
    await ctx.settle([MAIN]);
    const values = [ctx.viewer?.account_id ?? null, languages, page.offset, page.limit];
    const found = await ctx.db.query<Row>(list.statement, [...values, ...(list.values?.(ctx) ?? [])]);
    const { rows, headers } = offsetPage(found, ctx.instance.origin + url, page);
    return { text: await list.text(ctx, rows), headers };
  };
  return {
    forAll: endpoint({
      method: 'GET',
      path,
      summary: `View trending ${what}`,
      auth: 'optional',
      scopes: [],
      query: z.object(offsetParameters(limit.usual, limit.most)),
      reply,
      handler: async (ctx, { query }) => read(ctx, query, await preferredLanguages(ctx), path),
    }),
    forStaff: endpoint({
      method: 'GET',
      path: staffPath,
      summary: `View trending ${what}, as staff`,
      auth: 'user',
      scopes: ['admin:read'],
      permission: 'manage_taxonomies',
      query: z.object(offsetParameters(limit.usual, MOST_FOR_STAFF)),
      reply,
      handler: (ctx, { query }) => read(ctx, query, [], staffPath),
    }),
  };
}
