import { pageHead } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import type { IconName } from '#interfaces/web/design/icons.ts';
import { userPage, type WebPage } from '#interfaces/web/page/page.ts';
import { timeline } from './timeline.ts';

interface Marked {
  path: string;
  title: string;
  endpoint: 'GET v1/favourites' | 'GET v1/bookmarks';
  nothing: { icon: IconName; text: string };
}

const markedPage = ({ path, title, endpoint, nothing }: Marked): WebPage =>
  userPage({
    path,
    show: async (request) => {
      const posts = await timeline(request, { read: (query) => request.api(endpoint, { query }), nothing });
      if (request.wantsFragment) return { fragment: posts.items };
      return { title, hidden: true, body: html`${pageHead(title)} ${posts.whole}` };
    },
  });

/** The posts that the user marked. */
export const markedPages: readonly WebPage[] = [
  markedPage({
    path: '/favourites',
    title: 'Favourites',
    endpoint: 'GET v1/favourites',
    nothing: { icon: 'star', text: 'You have no favourites yet. Their authors are told of them.' },
  }),
  markedPage({
    path: '/bookmarks',
    title: 'Bookmarks',
    endpoint: 'GET v1/bookmarks',
    nothing: { icon: 'bookmark', text: 'You have no bookmarks yet. Nobody but you sees them.' },
  }),
];
