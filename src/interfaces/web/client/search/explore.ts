import { buttonLink, emptyState, type NavLink, pageHead, tabs } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { personButton, personItem, personList } from '#interfaces/web/entities/person.ts';
import { cardOf } from '#interfaces/web/entities/status-parts.ts';
import { tagItem, usageOf } from '#interfaces/web/entities/tag.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import { openPage, userPage, type WebRequest, type WebResponse } from '#interfaces/web/page/page.ts';
import { offsetIn, olderLink } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import type { Suggestion } from '#mastodon/schemas/index.ts';
import { orSignIn } from '../members.ts';
import { rankedTimeline, timeline } from '../timelines/timeline.ts';
import { searchForm } from './form.ts';

const RANKED = ['Top', 'More'] as const;
const PEOPLE = '/explore/suggestions';
const TABS: readonly NavLink[] = [
  { href: '/explore', text: 'Posts' },
  { href: '/explore/tags', text: 'Hashtags' },
  { href: PEOPLE, text: 'People' },
  { href: '/explore/links', text: 'News' },
];

/** Suggestions of people are for users. */
const tabsFor = ({ user, path }: WebRequest): Html =>
  tabs(
    'Explore',
    TABS.filter(({ href }) => user || href !== PEOPLE),
    path,
  );

const page = (request: WebRequest, title: string, content: Html): WebResponse =>
  request.wantsFragment
    ? { fragment: content }
    : {
        title: `Explore: ${title}`,
        hidden: true,
        body: html`${pageHead('Explore')} ${!request.user && searchForm()} ${tabsFor(request)} ${content}`,
      };

/** `/explore`: the posts that trend. */
export const trendingPosts = openPage({
  path: '/explore',
  show: (request) =>
    orSignIn(request, async () => {
      const posts = await rankedTimeline(request, {
        read: (query) => request.api('GET v1/trends/statuses', { query }),
        nothing: {
          icon: 'trending-up',
          text: 'Nothing is trending right now. Posts appear here when many people boost and favourite them.',
        },
      });
      return page(request, 'Posts', request.wantsFragment ? posts.items : posts.whole);
    }),
});

/** `/explore/tags`: the hashtags that trend. */
export const trendingTags = openPage({
  path: '/explore/tags',
  show: (request) =>
    orSignIn(request, async () => {
      const { entity, next } = await request.api('GET v1/trends/tags', {
        query: { ...offsetIn(request.query), limit: 20 },
      });
      const list =
        entity.length === 0
          ? emptyState({ icon: 'hash', text: 'No hashtags are trending right now.' })
          : html`<div class="feed">${entity.map(tagItem)}</div>`;
      return page(request, 'Hashtags', html`${list} ${olderLink(request, next, RANKED)}`);
    }),
});

/** `/explore/links`: the pages that many people share. */
export const trendingLinks = openPage({
  path: '/explore/links',
  show: (request) =>
    orSignIn(request, async () => {
      const { entity, next } = await request.api('GET v1/trends/links', {
        query: { ...offsetIn(request.query), limit: 20 },
      });
      const { instance } = request.ctx;
      const items = entity.map(
        (link) =>
          html`<div class="link-item">
            ${cardOf(link, instance)} ${usageOf(link.history)}
            <p class="quiet">
              <a href="/explore/links/posts?url=${encodeURIComponent(link.url)}">Posts about this</a>
            </p>
          </div>`,
      );
      const list =
        items.length === 0
          ? emptyState({ icon: 'newspaper', text: 'No news are being shared by many people right now.' })
          : html`<div class="feed">${items}</div>`;
      return page(request, 'News', html`${list} ${olderLink(request, next, RANKED)}`);
    }),
});

/** `/explore/links/posts?url=`: the posts that share one of those pages. */
export const postsAboutLink = openPage({
  path: '/explore/links/posts',
  show: (request) =>
    orSignIn(request, async () => {
      const url = request.query.get('url') ?? '';
      const posts = await timeline(request, {
        read: (query) => request.api('GET v1/timelines/link', { query: { url, ...query } }),
        endless: true,
        nothing: { icon: 'newspaper', text: 'There are no posts about this page.' },
      });
      if (request.wantsFragment) return { fragment: posts.items };
      return {
        title: 'Posts about a page',
        hidden: true,
        body: html`${pageHead('Posts about a page')}
          <p class="quiet" dir="ltr">${url}</p>
          ${posts.whole}`,
      };
    }),
});

const REASONS: Readonly<Record<Suggestion['sources'][number], string>> = {
  featured: 'Picked by the staff of this server',
  most_followed: 'Popular on this server',
  most_interactions: 'You favourited, boosted or replied to their posts',
  similar_to_recently_followed: 'Similar to people you followed recently',
  friends_of_friends: 'Popular among the people you follow',
};

/** `/explore/suggestions`: people to follow. */
export const suggestedPeople = userPage({
  path: PEOPLE,
  show: async (request) => {
    const { entity } = await request.api('GET v2/suggestions', { query: { limit: 40 } });
    const view = viewOf(request);
    const items = entity.map(({ account, sources: [source] }) =>
      personItem(account, view, {
        note: true,
        ...(source && { line: REASONS[source] }),
        actions: html`${personButton(
          account.locked ? 'Request to follow' : 'Follow',
          `accounts/${account.id}/follow`,
          account,
          { listed: true },
        )}
        ${personButton('Hide', `suggestions/${account.id}/delete`, account, { look: 'plain', listed: true })}`,
      }),
    );
    const list = personList(items, { icon: 'users', text: 'There is nobody to suggest right now.' });
    return page(
      request,
      'People',
      html`${noticeBox(request)} ${list}
        <p class="buttons centred">
          ${buttonLink('/directory', 'Browse the profile directory', { look: 'plain' })}
        </p>`,
    );
  },
});
