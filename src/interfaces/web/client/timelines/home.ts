import { buttonLink, pageHead } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import { smallComposer } from '../compose/index.ts';
import { timeline } from './timeline.ts';

/** `/home`: the posts of the accounts and hashtags that the user follows. */
export const homePage = userPage({
  path: '/home',
  show: async (request) => {
    const [posts, composer] = await Promise.all([
      timeline(request, {
        read: (query) => request.api('GET v1/timelines/home', { query }),
        endless: true,
        nothing: {
          icon: 'house',
          text: 'Your home is empty. Follow people and hashtags, and their posts appear here.',
          more: html`<p class="buttons centred">
            ${buttonLink('/explore/suggestions', 'Find people to follow')}
            ${buttonLink('/public/local', 'See what is new here', { look: 'plain' })}
          </p>`,
        },
        stream: 'user',
      }),
      request.wantsFragment ? undefined : smallComposer(request),
    ]);
    if (request.wantsFragment) return { fragment: posts.items };
    return {
      title: 'Home',
      hidden: true,
      head: html`<meta name="description" content="Posts of the people and hashtags that you follow" />`,
      body: html`${pageHead('Home')} ${noticeBox(request)} ${composer} ${posts.whole}`,
    };
  },
});
