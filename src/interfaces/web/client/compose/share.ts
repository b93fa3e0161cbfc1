import { userPage } from '#interfaces/web/page/page.ts';
import { deskOfAddress } from './prefill.ts';
import { composerPage } from './publish.ts';

/**
 * `/share?title=&text=&url=`: other sites and browsers lead users here to share something, as on Mastodon. It
 * shows the composer, whose form leads to `/publish`.
 */
export const sharePage = userPage({
  path: '/share',
  show: async (request) => {
    const { query } = request;
    const text = ['title', 'text', 'url'].flatMap((name) => query.get(name) || []).join(' ');
    const asked = { ...request, query: new URLSearchParams({ text }) };
    return composerPage(request, await deskOfAddress(asked));
  },
});
