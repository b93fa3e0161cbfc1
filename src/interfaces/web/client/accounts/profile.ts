import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { webAddress } from '#interfaces/web/entities/addresses.ts';
import { hiddenProfile, profilePosts } from '#interfaces/web/entities/profile-posts.ts';
import { type SignedInRequest, userPage, type WebPage } from '#interfaces/web/page/page.ts';
import { olderLink, type Place, placeIn } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { notFound } from '#kernel/errors.ts';
import type { Account, Status } from '#mastodon/schemas/index.ts';
import { parseTagName } from '#mastodon/tag-name.ts';
import { resolvedAccountAt } from './account.ts';
import { profileWith, type Tab } from './profile-frame.ts';

const POSTS: Tab = { path: '', title: 'Posts' };

/** The lists of an account's posts, with their queries for the API. */
const LISTS: readonly { tab: Tab; query: Filter }[] = [
  { tab: POSTS, query: { exclude_replies: 'true' } },
  { tab: { path: '/with_replies', title: 'Posts and replies' }, query: {} },
  { tab: { path: '/media', title: 'Media' }, query: { only_media: 'true' } },
];

type Filter = Partial<Record<'exclude_replies' | 'only_media' | 'pinned' | 'tagged', string>>;

/** `/@:name` with its lists of posts; also for accounts of other servers. */
export const profilePages: readonly WebPage[] = [
  ...LISTS.map(({ tab, query }) =>
    userPage({ path: `/@:name${tab.path}`, orPublic: true, show: (request) => show(request, tab, query) }),
  ),
  userPage({
    path: '/@:name/tagged/:tag',
    orPublic: true,
    show: async (request) => {
      const tag = parseTagName(request.params.tag);
      if (!tag) throw notFound();
      const tab: Tab = { path: `/tagged/${encodeURIComponent(tag.normal)}`, title: `#${tag.normal}` };
      return show(request, tab, { tagged: tag.normal, exclude_replies: 'true' });
    },
  }),
];

async function show(request: SignedInRequest<{ name: string }>, tab: Tab, query: Filter) {
  const account = await resolvedAccountAt(request);
  const params = { id: account.id };
  const place = placeIn(request.query);
  const isTop = tab === POSTS && Object.keys(place).length === 0;
  return profileWith(request, account, tab, async () => {
    if (account.suspended === true) return emptyState({ icon: 'ban', text: 'This account is suspended.' });
    const statuses = (asked: Filter & Place) =>
      request.api('GET v1/accounts/:id/statuses', { params, query: asked });
    const [posts, pinned] = await Promise.all([
      statuses({ ...query, ...place }),
      isTop ? statuses({ pinned: 'true' }) : undefined,
    ]);
    const view = viewOf(request);
    const shown = { title: tab.title, pinned: pinned?.entity, posts: posts.entity };
    const next = posts.entity.length === 0 ? undefined : posts.next;
    const list = html`${profilePosts(shown, view)} ${!next && olderElsewhere(account, posts.entity)}
    ${olderLink(request, next)}`;
    return account.limited === true && account.id !== request.user.account_id
      ? hiddenProfile(list, view.instance.domain)
      : list;
  });
}

/** This server has no post of a remote account from before it knew it. */
function olderElsewhere(account: Account, shown: readonly Status[]): Html | false {
  const original = webAddress(account.url) ?? webAddress(account.uri);
  if (!account.acct.includes('@') || original === undefined || shown.length >= account.statuses_count) {
    return false;
  }
  return html`<div class="box remote-hint">
    <p>Older posts are on their server.</p>
    ${buttonLink(original, 'Open original page', { look: 'plain', icon: 'external-link' })}
  </div>`;
}
