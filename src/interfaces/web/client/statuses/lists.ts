import { backLink, pageHead } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import type { IconName } from '#interfaces/web/design/icons.ts';
import { statusPath } from '#interfaces/web/entities/addresses.ts';
import { personList } from '#interfaces/web/entities/person.ts';
import { userPage, type WebPage } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { peopleToFollow } from '../accounts/account.ts';
import { namesPost } from '../names-post.ts';
import { timeline } from '../timelines/timeline.ts';
import { shownStatus } from './shown-status.ts';

interface PeopleList {
  name: 'favourites' | 'reblogs';
  title: string;
  endpoint: 'GET v1/statuses/:id/favourited_by' | 'GET v1/statuses/:id/reblogged_by';
  nothing: { icon: IconName; text: string };
}

/** A list of the people who did something with a post. */
const peoplePage = ({ name, title, endpoint, nothing }: PeopleList): WebPage =>
  userPage({
    path: `/@:name/:id/${name}`,
    owns: namesPost,
    show: async (request) => {
      const found = await shownStatus(request, `/${name}`);
      if ('elsewhere' in found) return found.elsewhere;
      const { entity, next } = await request.api(endpoint, {
        params: { id: found.status.id },
        query: placeIn(request.query),
      });
      const people = await peopleToFollow(request, entity, () => ({ note: true }));
      const list = html`${personList(people, nothing)} ${olderLink(request, next)}`;
      if (request.wantsFragment) return { fragment: list };
      return {
        title,
        hidden: true,
        body: html`${backLink(statusPath(found.status), 'Back to the post')} ${pageHead(title)} ${list}`,
      };
    },
  });

const quotesPage = userPage({
  path: '/@:name/:id/quotes',
  owns: namesPost,
  show: async (request) => {
    const found = await shownStatus(request, '/quotes');
    if ('elsewhere' in found) return found.elsewhere;
    const posts = await timeline(request, {
      read: (query) => request.api('GET v1/statuses/:id/quotes', { params: { id: found.status.id }, query }),
      nothing: { icon: 'quote', text: 'Nobody has quoted this post yet.' },
    });
    if (request.wantsFragment) return { fragment: posts.items };
    const own = found.status.account.id === request.user.account_id;
    return {
      title: 'Quotes',
      hidden: true,
      body: html`${backLink(statusPath(found.status), 'Back to the post')} ${pageHead('Quotes')}
      ${own && html`<p class="quiet">You can remove your post from a quote: open More below that post.</p>`}
      ${posts.whole}`,
    };
  },
});

/** The lists of those who favourited, boosted or quoted a post. */
export const listsOfPost: readonly WebPage[] = [
  peoplePage({
    name: 'favourites',
    title: 'Favourited by',
    endpoint: 'GET v1/statuses/:id/favourited_by',
    nothing: { icon: 'star', text: 'Nobody has favourited this post yet.' },
  }),
  peoplePage({
    name: 'reblogs',
    title: 'Boosted by',
    endpoint: 'GET v1/statuses/:id/reblogged_by',
    nothing: { icon: 'repeat-2', text: 'Nobody has boosted this post yet.' },
  }),
  quotesPage,
];
