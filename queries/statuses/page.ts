import type { RequestContext } from '#kernel/context.ts';
import type { Reply } from '#kernel/endpoint.ts';
import { jsonArray, type JsonPieces } from '#kernel/json-pieces.ts';
import {
  type KeysetStatement,
  linksOf,
  newestFirst,
  type PageQuery,
  type PageRequest,
  pageRequest,
  selectPage,
} from '#kernel/paging.ts';
import {
  mentionsNotMutedBy,
  notMutedBy,
  type StatusAliases,
  USUAL,
  visibleTo,
} from '../visibility/statuses.ts';
import { findPresent, type Found, rendererOf } from './find.ts';

/** A row of a page: a status, and the id for paging if that is another one (of a favourite, of a pin). */
export interface PageRow {
  id: string;
  cursor?: string;
}

const ORIGINAL: StatusAliases = { status: 'o', author: 'oa' };

/**
 * The joins of a page of statuses `s`: the author as `a`, and of a reblog the original as `o` with its author `oa`. A page
 * selects ids only; `findStatuses` reads the rest.
 */
export const PAGE_JOINS = `join accounts a on a.id = s.account_id
  left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id`;

/** The statuses of a page that the viewer may see, and whose reblogged status they may see. */
export const pageVisibleTo = (viewer: string): string =>
  `${visibleTo(viewer)} and (s.reblog_of_id is null or ${visibleTo(viewer, ORIGINAL)})`;

/**
 * SQL: the id of the post that the id $1 means; for a reblog, the original. Null when the viewer may not see
 * the post or the reblog: a hidden reblog must not lead to a public post.
 */
export const meantFor = (viewer: string): string =>
  `(select coalesce(o.id, s.id) from statuses s ${PAGE_JOINS} where s.id = $1 and ${pageVisibleTo(viewer)})`;

/** The statuses of a page that the viewer does not mute, by their authors and by mentioned accounts. */
export const pageNotMutedBy = (viewer: string): string => notMutedBy(viewer, USUAL, ORIGINAL);
export const pageMentionsNotMutedBy = (viewer: string): string => mentionsNotMutedBy(viewer, USUAL, ORIGINAL);

/** Returns a page of statuses as a reply. */
export async function statusPage(
  ctx: RequestContext,
  rows: readonly PageRow[],
  page: PageRequest,
): Promise<Reply> {
  const newest = newestFirst([...rows], page);
  const statuses = await findPresent(
    ctx,
    newest.map(({ id }) => id),
  );
  return pageReply(statuses, newest, page);
}

/** Returns a page of statuses that were found already, newest first, as a reply. */
export async function foundPage(
  ctx: RequestContext,
  found: readonly Found[],
  page: PageRequest,
): Promise<Reply> {
  const rows = found.map(({ status }) => status.own);
  return pageReply(found.map(await rendererOf(ctx, found)), rows, page);
}

const pageReply = (
  statuses: readonly JsonPieces[],
  newest: readonly PageRow[],
  page: PageRequest,
): Reply => ({ text: jsonArray(statuses), page: linksOf(newest, page, ({ id, cursor }) => cursor ?? id) });

/** Runs a keyset statement that selects ids of statuses (see `selectPage`) and renders the page. */
export async function listStatuses(
  ctx: RequestContext,
  keyset: KeysetStatement<PageRow>,
  query: PageQuery,
  values: readonly unknown[] = [],
): Promise<Reply> {
  const page = pageRequest(query, keyset.links);
  return statusPage(ctx, await selectPage(ctx, keyset, page, values), page);
}
