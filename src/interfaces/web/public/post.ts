import type { Instance } from '#kernel/context.ts';
import { notFound, RookeryError } from '#kernel/errors.ts';
import { isId, LARGEST_ID } from '#kernel/ids.ts';
import type { Context, Status } from '#mastodon/schemas/index.ts';
import { localPost } from '#queries/federation/index.ts';
import { showContext, showStatus } from '#queries/statuses/index.ts';
import { type Html, html } from '../design/html.ts';
import { farPage, handleOf } from '../entities/addresses.ts';
import { plainName } from '../entities/byline.ts';
import { thread } from '../entities/thread.ts';
import { strangersView, type View } from '../entities/view.ts';
import { callEndpoint } from '../page/call-endpoint.ts';
import { documentLinks, statusPreview } from './meta.ts';
import { ownAccount, type PageRequest, type PageResponse } from './page-request.ts';
import { isHidden } from './profile.ts';
import { redirectToRemoteStatus } from './remote-redirects.ts';

/** `GET /@:name/:id`: a post with its ancestors and replies; for a reblog, a redirect to the original. */
export async function showPost(request: PageRequest): Promise<PageResponse> {
  const { ctx, params: path } = request;
  if (path['name']?.includes('@') === true) return redirectToRemoteStatus(request);
  const { id: accountId } = await ownAccount(request);
  const { id = '' } = path;
  if (!isId(id) || id === LARGEST_ID) throw notFound();
  // As a server without a signature gets it: a deleted post is `gone` only if it was public.
  const found = await localPost(ctx.db, accountId, id, undefined);
  if (found === undefined) throw notFound();
  if (found === 'gone') throw new RookeryError('gone', 'This post was deleted');
  const params = { id };
  if (found.reblog_of !== null) return original((await callEndpoint(ctx, showStatus, { params })).entity);
  const [site, status, context] = await Promise.all([
    request.site(),
    callEndpoint(ctx, showStatus, { params }),
    callEndpoint(ctx, showContext, { params }),
  ]);
  return page(status.entity, context.entity, { siteName: site.name, view: strangersView(ctx) });
}

function original({ reblog }: Status): PageResponse {
  const redirect = reblog ? farPage(reblog) : undefined;
  if (redirect === undefined) throw notFound();
  return { redirect };
}

function page(
  status: Status,
  { ancestors, descendants }: Context,
  { siteName, view }: { siteName: string; view: View },
): PageResponse {
  const { account, visibility, uri } = status;
  const { instance } = view;
  return {
    title: `Post by ${plainName(account)} (${handleOf(account, instance)})`,
    documentUri: uri,
    // Unlisted posts are hidden from search engines.
    hidden: isHidden(account) || visibility !== 'public',
    head: html`${statusPreview(status, instance, siteName)} ${documentLinks(uri, account, instance)}
    ${oembedLink(status, instance)}`,
    body: html`<h1 class="hush">Post by ${plainName(account)}</h1>
      ${thread(status, { ancestors, descendants }, view)}`,
  };
}

/** https://oembed.com, section 4 */
const oembedLink = ({ url, uri }: Status, { origin }: Instance): Html =>
  html`<link
    rel="alternate"
    type="application/json+oembed"
    href="${origin}/api/oembed?url=${encodeURIComponent(url ?? uri)}"
  />`;
