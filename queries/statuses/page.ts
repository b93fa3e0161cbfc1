import type { RequestContext } from '../../src/kernel/context.ts';
import type { Reply } from '../../src/kernel/endpoint.ts';
import {
  forPage,
  linksOf,
  newestFirst,
  pageRequest,
  type KeysetStatement,
  type PageRequest,
} from '../../src/kernel/paging.ts';
import { readyArray } from '../entities/ready-json.ts';
import { statusJson, type StatusRow } from '../entities/status.ts';

/** A page of statuses as a reply. */
export function statusPage(ctx: RequestContext, rows: StatusRow[], page: PageRequest): Reply {
  const viewerId = ctx.viewer?.account_id;
  const newest = newestFirst(rows, page);
  return {
    text: readyArray(
      newest.map((row) => statusJson(row, viewerId)),
      ctx.instance,
    ),
    page: linksOf(newest, page, ({ id }) => id),
  };
}

/**
 * Runs a keyset statement over statuses and renders the page. Its first parameters are the reader ($1), `before` ($2),
 * `after` ($3) and the limit ($4).
 */
export async function listStatuses(
  ctx: RequestContext,
  keyset: KeysetStatement,
  query: Parameters<typeof pageRequest>[0],
  values: readonly unknown[] = [],
): Promise<Reply> {
  const page = pageRequest(query);
  const rows = await ctx.db.query<StatusRow>(forPage(keyset, page), [
    ctx.viewer?.account_id ?? null,
    page.before,
    page.after,
    page.limit,
    ...values,
  ]);
  return statusPage(ctx, rows, page);
}
