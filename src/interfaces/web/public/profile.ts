import type { Instance } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import type { Account } from '#mastodon/schemas/index.ts';
import { parseTagName } from '#mastodon/tag-name.ts';
import { accountStatuses, showAccount } from '#queries/accounts/index.ts';
import { accountFeaturedTags } from '#queries/featured-tags/index.ts';
import { instanceFacts } from '#queries/instance/index.ts';
import { buttonLink, tabs } from '../design/components.ts';
import { type Html, html } from '../design/html.ts';
import { handleOf, profilePath } from '../entities/addresses.ts';
import { plainName } from '../entities/byline.ts';
import { interactPath } from '../entities/interact.ts';
import { profileHeader } from '../entities/profile-header.ts';
import { hiddenProfile, profilePosts } from '../entities/profile-posts.ts';
import { strangersView } from '../entities/view.ts';
import { callEndpoint } from '../page/call-endpoint.ts';
import { appsBox } from './app-list.ts';
import { accountPreview, documentLinks, feedLink, sameAs } from './meta.ts';
import {
  ownAccount,
  pageLinks,
  pageParametersIn,
  type PageRequest,
  type PageResponse,
} from './page-request.ts';
import { redirectToRemoteAccount } from './remote-redirects.ts';

/** A list of an account's posts. */
interface Tab {
  /** The part after the address of the account. */
  path: string;
  title: string;
  /** The query for the API. */
  query: Record<string, string>;
  shown?: (account: Account) => boolean;
}

/** The tabs of Mastodon: replies only on request. */
export const TABS = {
  posts: { path: '', title: 'Posts', query: { exclude_replies: 'true' } },
  withReplies: { path: '/with_replies', title: 'Posts and replies', query: {} },
  media: {
    path: '/media',
    title: 'Media',
    query: { only_media: 'true' },
    shown: ({ show_media }) => show_media !== false,
  },
} as const satisfies Record<string, Tab>;

/** Returns the posts with the hashtag in the path. @throws RookeryError `not_found` */
export function taggedTab({ params }: PageRequest): Tab {
  const tag = parseTagName(params['tag'] ?? '');
  if (!tag) throw notFound();
  return {
    path: `/tagged/${encodeURIComponent(tag.normal)}`,
    title: `#${tag.normal}`,
    query: { tagged: tag.normal, exclude_replies: 'true' },
  };
}

/** `GET /@:name`; for a remote account, a redirect to its server. */
export const showProfile = (request: PageRequest): Promise<PageResponse> =>
  request.params['name']?.includes('@') === true
    ? redirectToRemoteAccount(request)
    : profile(request, TABS.posts);

export const showWithReplies = (request: PageRequest): Promise<PageResponse> =>
  profile(request, TABS.withReplies);
export const showMedia = (request: PageRequest): Promise<PageResponse> => profile(request, TABS.media);
export const showTagged = async (request: PageRequest): Promise<PageResponse> =>
  profile(request, taggedTab(request));

async function profile(request: PageRequest, tab: Tab): Promise<PageResponse> {
  const { ctx, query } = request;
  const actor = await ownAccount(request);
  const params = { id: actor.id };
  const place = pageParametersIn(query);
  const first = tab === TABS.posts && !('max_id' in place);
  const [site, facts, account, posts, pinned, tags] = await Promise.all([
    request.site(),
    instanceFacts(ctx),
    callEndpoint(ctx, showAccount, { params }),
    callEndpoint(ctx, accountStatuses, { params, query: { ...tab.query, ...place } }),
    first ? callEndpoint(ctx, accountStatuses, { params, query: { pinned: 'true' } }) : undefined,
    callEndpoint(ctx, accountFeaturedTags, { params }),
  ]);
  const { instance } = ctx;
  const { entity } = account;
  const view = strangersView(ctx);
  const list = html`${profilePosts({ title: tab.title, pinned: pinned?.entity, posts: posts.entity }, view)}
  ${pageLinks(`${actor.url}${tab.path}`, query, posts.next)}`;
  return {
    title: `${plainName(entity)} (${handleOf(entity, instance)})`,
    documentUri: actor.uri,
    hidden: isHidden(entity),
    head: headOf(entity, actor, { tab, siteName: site.name, instance }),
    body: html`${profileHeader(entity, view, { tags: tags.entity, actions: followElsewhere(entity) })}
    ${profileTabs(entity, tab)} ${entity.limited === true ? hiddenProfile(list, instance.domain) : list}
    ${first && appsBox(facts, instance)}`,
  };
}

/** Returns true if search engines should not index it: the account asks for that, or staff limited it. */
export const isHidden = ({ noindex, limited }: Account): boolean => noindex === true || limited === true;

/** The visitor has no account here, but perhaps one on another server. */
const followElsewhere = ({ uri, moved }: Account): Html | false =>
  !moved && buttonLink(interactPath(uri, 'follow'), 'Follow', { icon: 'user-plus' });

const headOf = (
  account: Account,
  { uri, url }: { uri: string; url: string },
  { tab, siteName, instance }: { tab: Tab; siteName: string; instance: Instance },
): Html =>
  html`${accountPreview(account, siteName)} ${documentLinks(uri, account, instance)}
  ${feedLink(`${plainName(account)}: ${tab.title}`, `${url}${tab.path}.rss`)} ${sameAs(account)}`;

function profileTabs(account: Account, current: Tab): Html {
  const page = profilePath(account);
  const all: Tab[] = [TABS.posts, TABS.withReplies, TABS.media];
  const shown = all.filter(({ shown: isShown }) => isShown?.(account) ?? true);
  const links = shown.map(({ path, title }) => ({ href: `${page}${path}`, text: title }));
  return tabs('Profile', links, `${page}${current.path}`);
}
