import { html } from '../design/html.ts';
import { SETTINGS, signedInAs } from '../page/layout.ts';
import { noticeBox } from '../page/notices.ts';
import { userPage } from '../page/page.ts';
import { settingsNav, settingsOverview } from '../page/settings-nav.ts';

/** `/settings`: all pages of the settings, with a line about each. */
export const overviewPage = userPage({
  path: SETTINGS,
  show: (request) => ({
    title: 'Settings',
    hidden: true,
    nav: settingsNav(request.user, SETTINGS),
    body: html`<h1>Settings</h1>
      ${noticeBox(request)} ${settingsOverview(request.user)} ${signedInAs(request)}`,
  }),
});
