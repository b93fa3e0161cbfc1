import { pageHead, tabs } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { openPage, type WebPage } from '#interfaces/web/page/page.ts';
import { orSignIn } from '../members.ts';
import { timeline } from './timeline.ts';

interface Feed {
  path: string;
  text: string;
  query: { local?: true; remote?: true };
  stream: string;
  nothing: string;
}

const FEEDS: readonly Feed[] = [
  {
    path: '/public/local',
    text: 'This server',
    query: { local: true },
    stream: 'public:local',
    nothing: 'Nobody has posted publicly here yet.',
  },
  {
    path: '/public/remote',
    text: 'Other servers',
    query: { remote: true },
    stream: 'public:remote',
    nothing:
      'No posts of other servers have arrived yet. They do once somebody here follows people elsewhere.',
  },
  { path: '/public', text: 'All', query: {}, stream: 'public', nothing: 'There are no public posts yet.' },
];

const feedPage = ({ path, text, query, stream, nothing }: Feed): WebPage =>
  openPage({
    path,
    show: (request) =>
      orSignIn(request, async () => {
        const posts = await timeline(request, {
          read: (page) => request.api('GET v1/timelines/public', { query: { ...query, ...page } }),
          endless: true,
          nothing: { icon: 'radio', text: nothing },
          stream,
        });
        if (request.wantsFragment) return { fragment: posts.items };
        const links = FEEDS.map((each) => ({ href: each.path, text: each.text }));
        return {
          title: `Live feeds: ${text}`,
          hidden: true,
          body: html`${pageHead('Live feeds')} ${tabs('Live feeds', links, path)} ${posts.whole}`,
        };
      }),
  });

/** The public timelines: `/public`, `/public/local`, `/public/remote`. */
export const publicPages: readonly WebPage[] = FEEDS.map(feedPage);
