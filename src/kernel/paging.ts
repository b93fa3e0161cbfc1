import { z } from 'zod';
import type { PageLinks } from './endpoint.ts';
import { LARGEST_ID } from './ids.ts';
import { isScalar, leadingInteger } from './input.ts';
import { type Db, type Statement, statement } from './read.ts';

/** Statements add one to a cursor, which must stay a bigint. */
const LARGEST_PLACE = BigInt(LARGEST_ID) - 1n;

/** Ids are compared as bigint. */
const cursor = z.preprocess(
  (value: number | string | undefined) => cursorOf(value),
  z.string().max(20).optional(),
);

/**
 * Returns the id at which a page begins or ends, like Rails: leading digits count, a text without them is 0,
 * a blank one is none.
 */
function cursorOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  if (text === '') return undefined;
  const digits = /^\+?0*(\d{1,20})/.exec(text)?.[1] ?? '0';
  return BigInt(digits) > LARGEST_PLACE ? String(LARGEST_PLACE) : digits;
}

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

/**
 * Parses `limit` alone, like Rails. The sign is ignored, and a text that is no number is 0: an empty page.
 */
export const limitParameter = (defaultLimit: number, maxLimit: number) =>
  z
    .preprocess(
      (value: number | string) =>
        isScalar(value) ? Math.min(Math.abs(leadingInteger(value)), maxLimit) : undefined,
      z.int().min(0).max(maxLimit).default(defaultLimit),
    )
    .default(defaultLimit)
    .describe(
      `How many entries to return: ${defaultLimit} by default, and at most ${maxLimit}, to which more is cut.`,
    );

/** A keyset page: ids between `after` and `before` (both exclusive). */
export interface PageRequest {
  before: string;
  after: string;
  limit: number;
  /** With `min_id`: the page next to `after`, instead of the newest one. */
  ascending: boolean;
  links?: LinkRules;
}

/** The rules for links, which differ between Mastodon's lists. */
export interface LinkRules {
  /** Every page with rows has `next`, not only full ones. */
  endless?: true;
  /** The parameter of `prev`; `min_id` unless given. */
  prevBy?: 'since_id';
}

/** The links of timelines and notifications. */
export const ENDLESS: LinkRules = { endless: true };
/** The links of most lists of accounts and tags. */
export const BACK_BY_SINCE_ID: LinkRules = { prevBy: 'since_id' };

export function pageRequest(
  query: {
    max_id?: string | undefined;
    since_id?: string | undefined;
    min_id?: string | undefined;
    limit: number;
  },
  links: LinkRules = {},
): PageRequest {
  return {
    before: query.max_id ?? LARGEST_ID,
    after: query.min_id ?? query.since_id ?? '0',
    limit: query.limit,
    ascending: query.min_id !== undefined,
    links,
  };
}

/** The account that reads a list; none without a token. */
export interface Reader {
  db: Db;
  viewer: { account_id: string } | undefined;
}

/** The statements of a keyset list, from the newest and from the oldest. */
export interface KeysetStatement<Row = unknown> {
  descending: Statement<Row>;
  ascending: Statement<Row>;
  links?: LinkRules;
}

/** The parsed parameters of `pageParameters`. */
export type PageQuery = Parameters<typeof pageRequest>[0];

/** Declares both statements. `text` receives the order (`asc` or `desc`) for its `order by`. */
export const keysetStatement = <Row = never>(
  name: string,
  text: (order: 'asc' | 'desc') => string,
  links: LinkRules = {},
): KeysetStatement<Row> => ({
  descending: statement(`${name}_desc`, text('desc')),
  ascending: statement(`${name}_asc`, text('asc')),
  links,
});

/** Returns the statement for a page request. */
const forPage = <Row>(keyset: KeysetStatement<Row>, page: PageRequest): Statement<Row> =>
  page.ascending ? keyset.ascending : keyset.descending;

/**
 * Selects the rows of a page. The statement's first parameters are the reader ($1, null without a token),
 * `before` ($2), `after` ($3) and the limit ($4); `values` follow.
 */
export const selectPage = <Row>(
  { db, viewer }: Reader,
  keyset: KeysetStatement<Row>,
  page: PageRequest,
  values: readonly unknown[] = [],
): Promise<Row[]> =>
  db.query(forPage(keyset, page), [
    viewer?.account_id ?? null,
    page.before,
    page.after,
    page.limit,
    ...values,
  ]);

/** Returns the rows newest first, in whichever order they were read. */
export const newestFirst = <Row>(rows: Row[], page: PageRequest): Row[] =>
  page.ascending ? rows.reverse() : rows;

/**
 * Reads a page of a list: its rows, newest first, and its links. `idOf` returns the id that the list is paged
 * by; for the rest see `selectPage`.
 */
export async function readPage<Row>(
  ctx: Reader,
  keyset: KeysetStatement<Row>,
  query: PageQuery,
  idOf: (row: Row) => string,
  values: readonly unknown[] = [],
): Promise<{ rows: Row[]; page: PageLinks }> {
  const request = pageRequest(query, keyset.links);
  const rows = newestFirst(await selectPage<Row>(ctx, keyset, request, values), request);
  return { rows, page: linksOf(rows, request, idOf) };
}

/** Returns the `Link` cursors of a page: to older items when it is full, to newer ones when it has any. */
export function linksOf<Row>(
  rows: readonly Row[],
  { limit, links = {} }: Pick<PageRequest, 'limit' | 'links'>,
  idOf: (row: Row) => string,
): PageLinks {
  const first = rows[0];
  const last = rows.at(-1);
  return {
    ...(last && (links.endless === true || rows.length >= limit) ? { next: { max_id: idOf(last) } } : {}),
    ...(first ? { prev: { [links.prevBy ?? 'min_id']: idOf(first) } } : {}),
  };
}
