import { html } from '../design/html.ts';
import { SETTINGS, settingsPage } from '../page/layout.ts';
import { userPage, type WebPage } from '../page/page.ts';

/** `/settings`: the list of pages with a line in it. */
export const overviewPage = (pages: readonly WebPage[]): WebPage =>
  userPage({
    path: SETTINGS,
    show: (request) => {
      const topics = pages.flatMap(({ path, listed }) => (listed ? [{ path, ...listed }] : []));
      const lines = topics.map(
        ({ path, title, text }) =>
          html`<li><a href="${path}">${title}</a><br /><span class="quiet">${text}</span></li>`,
      );
      return settingsPage(request, 'Settings', [
        topics.length > 0 &&
          html`<ul class="people">
            ${lines}
          </ul>`,
      ]);
    },
  });
