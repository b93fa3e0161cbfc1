import { admitStranger } from '#interfaces/http/caller.ts';
import type { RequestContext } from '#kernel/context.ts';
import { isId } from '#kernel/ids.ts';
import { showAccount } from '#queries/accounts/index.ts';
import { type LocalActor, localActor } from '#queries/federation/index.ts';
import { type Html, html } from '../design/html.ts';
import type { Page, Site } from '../page/frame.ts';

/** A request for a page. */
export interface PageRequest {
  /** A context without a user. */
  ctx: RequestContext;
  site: () => Promise<Site>;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
}

export type PageResponse =
  /** With the address of the ActivityPub document of the same thing. */
  | (Page & { documentUri?: string })
  /** A checked address. */
  | { redirect: string }
  | { feed: string; hidden: boolean };

/**
 * Returns the local account in the path, if other servers may see it. @throws RookeryError `not_found`,
 * `gone`, `unauthorized`
 */
export async function ownAccount({ ctx, params }: PageRequest): Promise<LocalActor> {
  // Before any lookup, so that nothing is revealed.
  admitStranger(showAccount, ctx.instance);
  return localActor(ctx.db, params['name'] ?? '');
}

/** Returns the place of a page in a list; text that is no id means the newest items. */
export function pageParametersIn(query: URLSearchParams): { max_id?: string } {
  const before = query.get('max_id') ?? '';
  return isId(before) ? { max_id: before } : {};
}

/** Returns links to older items and back to the newest; `path` has no query. */
export function pageLinks(path: string, query: URLSearchParams, next: string | undefined): Html | false {
  const paged = 'max_id' in pageParametersIn(query);
  if (!paged && next === undefined) return false;
  return html`<nav class="pages" aria-label="Pages">
    ${paged ? html`<a href="${path}">Newest</a>` : html`<span></span>`}
    ${next !== undefined && html`<a href="${path}?max_id=${next}" rel="next">Older</a>`}
  </nav>`;
}
