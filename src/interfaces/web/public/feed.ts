import type { RequestContext } from '#kernel/context.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { accountStatuses, showAccount } from '#queries/accounts/index.ts';
import { showTag } from '#queries/tags/index.ts';
import { tagTimeline } from '#queries/timelines/index.ts';
// Under another name, because Prettier would format it as HTML.
import { html as xml } from '../design/html.ts';
import { handleOf } from '../entities/addresses.ts';
import { plainName } from '../entities/byline.ts';
import { callEndpoint } from '../page/call-endpoint.ts';
import { feedItems, rfc822 } from './feed-items.ts';
import { ownAccount, type PageRequest, type PageResponse } from './page-request.ts';
import { isHidden, TABS, taggedTab } from './profile.ts';

export const feedOfPosts = (request: PageRequest): Promise<PageResponse> => accountFeed(request, TABS.posts);
export const feedWithReplies = (request: PageRequest): Promise<PageResponse> =>
  accountFeed(request, TABS.withReplies);
export const feedOfMedia = (request: PageRequest): Promise<PageResponse> => accountFeed(request, TABS.media);
export const feedOfTagged = async (request: PageRequest): Promise<PageResponse> =>
  accountFeed(request, taggedTab(request));

/** An account's own posts, newest first. */
async function accountFeed(
  request: PageRequest,
  { path, query }: { path: string; query: Record<string, string> },
): Promise<PageResponse> {
  const { ctx } = request;
  const actor = await ownAccount(request);
  const params = { id: actor.id };
  const [{ entity: account }, { entity: posts }] = await Promise.all([
    callEndpoint(ctx, showAccount, { params }),
    callEndpoint(ctx, accountStatuses, { params, query: { ...query, exclude_reblogs: 'true' } }),
  ]);
  const title = plainName(account);
  return {
    hidden: isHidden(account),
    feed: await feedWith(ctx, {
      title,
      description: `Public posts from ${handleOf(account, ctx.instance)}`,
      link: actor.url,
      self: `${actor.url}${path}.rss`,
      image: account.avatar,
      posts,
    }),
  };
}

/** `GET /tags/:tag.rss` */
export async function feedOfHashtag({ ctx, params }: PageRequest): Promise<PageResponse> {
  const name = params['tag'] ?? '';
  const [{ entity: tag }, { entity: posts }] = await Promise.all([
    callEndpoint(ctx, showTag, { params: { name } }),
    callEndpoint(ctx, tagTimeline, { params: { hashtag: name } }),
  ]);
  return {
    hidden: true,
    feed: await feedWith(ctx, {
      title: `#${tag.name}`,
      description: `Public posts tagged #${tag.name}`,
      link: tag.url,
      self: `${tag.url}.rss`,
      posts,
    }),
  };
}

interface Feed {
  title: string;
  description: string;
  link: string;
  /** The address of the feed. */
  self: string;
  image?: string;
  posts: readonly Status[];
}

/** RSS 2.0 (https://www.rssboard.org/rss-specification) with Media RSS, as in Mastodon. */
async function feedWith(
  ctx: RequestContext,
  { title, description, link, self, image, posts }: Feed,
): Promise<string> {
  const [newest] = posts;
  const items = await feedItems(ctx, posts);
  const document = xml`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xmlns:webfeeds="http://webfeeds.org/rss/1.0">
<channel>
<title>${title}</title>
<description>${description}</description>
<link>${link}</link>
<atom:link rel="self" type="application/rss+xml" href="${self}"/>
${
  image !== undefined &&
  xml`<image><url>${image}</url><title>${title}</title><link>${link}</link></image>
<webfeeds:icon>${image}</webfeeds:icon>
`
}${
    newest &&
    xml`<lastBuildDate>${rfc822(newest.created_at)}</lastBuildDate>
`
  }<generator>Rookery</generator>
${items}</channel>
</rss>
`;
  return document.text.toWellFormed().replace(NOT_IN_XML, '');
}

/** https://www.w3.org/TR/xml/#charsets; ill-formed text was repaired before. */
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
