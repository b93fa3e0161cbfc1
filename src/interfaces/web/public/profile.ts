import { accountStatuses, showAccount } from '../../../../queries/accounts/index.ts';
import type { Account, FeaturedTag, Status } from '../../../mastodon/schemas/index.ts';
import { accountFeaturedTags } from '../../../../queries/featured-tags/index.ts';
import type { Instance } from '../../../kernel/context.ts';
import { notFound } from '../../../kernel/errors.ts';
import { parseTagName } from '../../../mastodon/tag-name.ts';
import { handleOf } from '../entities/addresses.ts';
import { callEndpoint } from '../page/call-endpoint.ts';
import { redirectToRemoteAccount } from './remote-redirects.ts';
import type { Page } from '../page/frame.ts';
import { html, type Html } from '../design/html.ts';
import { accountPreview, documentLinks, feedLink, sameAs } from './meta.ts';
import { plainName } from '../entities/byline.ts';
import { profileHeader } from './profile-header.ts';
import { statusItems } from '../entities/status.ts';
import {
  ownAccount,
  pageLinks,
  pageParametersIn,
  type PageResponse,
  type PageRequest,
} from './page-request.ts';
import { strangersView } from '../entities/view.ts';

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

async function profile(request: PageRequest, tab: Tab): Promise<Page> {
  const { ctx, query } = request;
  const actor = await ownAccount(request);
  const params = { id: actor.id };
  const place = pageParametersIn(query);
  const first = tab === TABS.posts && !('max_id' in place);
  const [site, account, posts, pinned, tags] = await Promise.all([
    request.site(),
    callEndpoint<Account>(ctx, showAccount, { params }),
    callEndpoint<Status[]>(ctx, accountStatuses, { params, query: { ...tab.query, ...place } }),
    first ? callEndpoint<Status[]>(ctx, accountStatuses, { params, query: { pinned: 'true' } }) : undefined,
    callEndpoint<FeaturedTag[]>(ctx, accountFeaturedTags, { params }),
  ]);
  const { instance } = ctx;
  const { entity } = account;
  const items = (statuses: readonly Status[]): Html[] => statusItems(statuses, strangersView(ctx));
  const list = html`${
      pinned &&
      pinned.entity.length > 0 &&
      html`<section aria-labelledby="pinned">
        <h2 id="pinned">Pinned posts</h2>
        ${items(pinned.entity)}
      </section>`
    }
    <section aria-labelledby="posts">
      <h2 id="posts">${tab.title}</h2>
      ${posts.entity.length === 0 ? html`<p class="quiet">Nothing is here.</p>` : items(posts.entity)}
    </section>
    ${pageLinks(`${actor.url}${tab.path}`, query, posts.next)}`;
  return {
    title: `${plainName(entity)} (${handleOf(entity, instance)})`,
    hidden: isHidden(entity),
    head: headOf(entity, actor, { tab, siteName: site.name, instance }),
    body: html`${profileHeader(entity, tags.entity, instance)} ${tabsOf(entity, actor.url, tab)}
    ${entity.limited === true ? veiled(list, instance) : list}`,
  };
}

/** Returns true if search engines should not index it: the account asks for that, or staff limited it. */
export const isHidden = ({ noindex, limited }: Account): boolean => noindex === true || limited === true;

/** The posts of a limited account, in a closed box. */
const veiled = (list: Html, { domain }: Instance): Html =>
  html`<details class="veil">
    <summary>The moderators of ${domain} have hidden this profile. Show it anyway</summary>
    ${list}
  </details>`;

const headOf = (
  account: Account,
  { uri, url }: { uri: string; url: string },
  { tab, siteName, instance }: { tab: Tab; siteName: string; instance: Instance },
): Html =>
  html`${accountPreview(account, siteName)} ${documentLinks(uri, account, instance)}
  ${feedLink(`${plainName(account)}: ${tab.title}`, `${url}${tab.path}.rss`)} ${sameAs(account)}`;

function tabsOf(account: Account, url: string, current: Tab): Html {
  const tabs: Tab[] = [TABS.posts, TABS.withReplies, TABS.media];
  const link = ({ path, title }: Tab): Html =>
    html`<a href="${url}${path}" ${path === current.path && html`aria-current="page"`}>${title}</a> `;
  return html`<nav class="tabs" aria-label="Profile">
    ${tabs.filter(({ shown }) => shown?.(account) ?? true).map(link)}
  </nav>`;
}
