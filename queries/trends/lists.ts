import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import type { JsonPieces } from '#kernel/json-pieces.ts';
import { offsetLinks, type OffsetPage, offsetParameters } from '#kernel/offset-paging.ts';
import type { Statement } from '#kernel/read.ts';

interface TrendList<Row, Path extends string, Entity extends z.ZodType> {
  path: Path;
  /** The noun for the summary. */
  what: string;
  limit: { usual: number; most: number };
  /** For all lists, $1 is the viewer. Then follow the offset, the limit and `values`. */
  statement: Statement<Row>;
  values?: (ctx: RequestContext) => Promise<unknown[]> | unknown[];
  deprecatedOn?: string;
  reply: Entity;
  text: (ctx: RequestContext, rows: readonly Row[]) => Promise<JsonPieces> | JsonPieces;
}

/** Declares a list of allowed trends. */
export const trendList = <Row, const Path extends string, Entity extends z.ZodType>(
  list: TrendList<Row, Path, Entity>,
) =>
  endpoint({
    method: 'GET',
    path: list.path,
    summary: `View trending ${list.what}`,
    auth: 'optional',
    scopes: [],
    query: z.object(offsetParameters(list.limit.usual, list.limit.most)),
    reply: list.reply,
    ...(list.deprecatedOn === undefined ? {} : { deprecated: true, deprecatedOn: list.deprecatedOn }),
    handler: (ctx, { query }) => read(ctx, list, query, [ctx.viewer?.account_id ?? null]),
  });

/** Declares a list of all trends, reviewed or not. */
export const trendListForStaff = <Row, const Path extends string, Entity extends z.ZodType>(
  list: TrendList<Row, Path, Entity>,
) =>
  endpoint({
    method: 'GET',
    path: list.path,
    summary: `View trending ${list.what}, as staff`,
    auth: 'user',
    scopes: ['admin:read'],
    permission: 'manage_taxonomies',
    query: z.object(offsetParameters(list.limit.usual, list.limit.most)),
    reply: list.reply,
    handler: (ctx, { query }) => read(ctx, list, query, []),
  });

async function read<Row>(
  ctx: RequestContext,
  list: Pick<TrendList<Row, string, z.ZodType>, 'statement' | 'values' | 'text'>,
  page: OffsetPage,
  reader: readonly unknown[],
): Promise<Reply> {
  const values = [...reader, page.offset, page.limit, ...((await list.values?.(ctx)) ?? [])];
  const rows = await ctx.db.query(list.statement, values);
  return { text: await list.text(ctx, rows), page: offsetLinks(rows.length, page) };
}
