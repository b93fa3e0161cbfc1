import type { RequestContext } from '../../src/kernel/context.ts';
import type { Reply } from '../../src/kernel/endpoint.ts';
import {
  linksOf,
  newestFirst,
  pageRequest,
  selectPage,
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
 * Runs a keyset statement over statuses (see `selectPage`) and renders the page.
 */
export async function listStatuses(
  ctx: RequestContext,
  keyset: KeysetStatement,
  query: Parameters<typeof pageRequest>[0],
  values: readonly unknown[] = [],
): Promise<Reply> {
  const page = pageRequest(query);
  const rows = await selectPage<StatusRow>(ctx, keyset, page, values);
  return statusPage(ctx, rows, page);
}
