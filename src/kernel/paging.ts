import { z } from 'zod';
import type { Page } from './endpoint.ts';
import { isId, LARGEST_ID } from './ids.ts';
import { statement, type Db, type Statement } from './read.ts';

/** Ids are compared as bigint; a text that is none of them names no place in a list. */
const cursor = z.string().max(40).optional();

/**
 * `max_id`, `since_id`, `min_id` and `limit` with a default and a maximum. A larger limit is cut to the maximum, as in
 * Mastodon. https://docs.joinmastodon.org/api/guidelines/#pagination
 */
export const pageParameters = (defaultLimit: number, maxLimit: number) => ({
  max_id: cursor.describe('An ID; the page begins with the newest entry below it.'),
  since_id: cursor.describe('An ID; the page holds the newest entries, down to this one, which is left out.'),
  min_id: cursor.describe('An ID; the page ends with the oldest entry above it.'),
  limit: limitParameter(defaultLimit, maxLimit),
});

/** `limit` alone; what is no number is the default. */
export const limitParameter = (defaultLimit: number, maxLimit: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .catch(defaultLimit)
    .default(defaultLimit)
    .transform((limit) => Math.min(limit, maxLimit))
    .describe(
      `How many entries to return: ${defaultLimit} by default, and at most ${maxLimit}, to which more is cut.`,
    );

/** A keyset page: ids between `after` and `before` (both exclusive). */
export interface PageRequest {
  before: string;
  after: string;
  limit: number;
  /** `min_id` was given: the page next to `after`, instead of the newest one. */
  ascending: boolean;
}

const idOr = (text: string | undefined, fallback: string): string =>
  text !== undefined && isId(text) ? text : fallback;

export function pageRequest(query: {
  max_id?: string | undefined;
  since_id?: string | undefined;
  min_id?: string | undefined;
  limit: number;
}): PageRequest {
  const after = query.min_id ?? query.since_id;
  return {
    before: idOr(query.max_id, LARGEST_ID),
    after: idOr(after, '0'),
    limit: query.limit,
    ascending: query.min_id !== undefined && isId(query.min_id),
  };
}

/** The account that a list is read for, none without a token. */
export interface Reader {
  db: Db;
  viewer: { account_id: string } | undefined;
}

/** The two statements of a keyset list, from newest and from oldest. */
export interface KeysetStatement {
  descending: Statement;
  ascending: Statement;
}

/** What the parameters of `pageParameters` come out as. */
export type PageQuery = Parameters<typeof pageRequest>[0];

/** `text` is given the order (`asc` or `desc`) that its `order by` must use. */
export const keysetStatement = (name: string, text: (order: 'asc' | 'desc') => string): KeysetStatement => ({
  descending: statement(`${name}_desc`, text('desc')),
  ascending: statement(`${name}_asc`, text('asc')),
});

/** The statement that serves a page request. */
const forPage = (keyset: KeysetStatement, page: PageRequest): Statement =>
  page.ascending ? keyset.ascending : keyset.descending;

/**
 * The rows of a page. The statement's first parameters are the reader ($1, null without a token), `before` ($2), `after` ($3)
 * and the limit ($4); `values` follow.
 */
export const selectPage = <Row>(
  { db, viewer }: Reader,
  keyset: KeysetStatement,
  page: PageRequest,
  values: readonly unknown[] = [],
): Promise<Row[]> =>
  db.query<Row>(forPage(keyset, page), [
    viewer?.account_id ?? null,
    page.before,
    page.after,
    page.limit,
    ...values,
  ]);

/** Rows newest first, whichever way they were read. */
export const newestFirst = <Row>(rows: Row[], page: PageRequest): Row[] =>
  page.ascending ? rows.reverse() : rows;

/** A page of a list: its rows, newest first, and its links. `idOf` is what the list is paged by; for the rest see `selectPage`. */
export async function readPage<Row>(
  ctx: Reader,
  keyset: KeysetStatement,
  query: PageQuery,
  idOf: (row: Row) => string,
  values: readonly unknown[] = [],
): Promise<{ rows: Row[]; page: Page }> {
  const request = pageRequest(query);
  const rows = newestFirst(await selectPage<Row>(ctx, keyset, request, values), request);
  return { rows, page: linksOf(rows, request, idOf) };
}

/** The `Link` cursors of a page: on to older items when it is full, back to newer ones when it has any. */
export function linksOf<Row>(rows: readonly Row[], page: PageRequest, idOf: (row: Row) => string): Page {
  const first = rows[0];
  const last = rows.at(-1);
  return {
    next: last && rows.length >= page.limit ? idOf(last) : undefined,
    prev: first && idOf(first),
  };
}
