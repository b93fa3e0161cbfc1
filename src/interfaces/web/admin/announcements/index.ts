import { buttonLink } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { type Notice, saying } from '#interfaces/web/page/notices.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import type { AdminAnnouncement } from '#mastodon/schemas/index.ts';
import { actPage, rowLinks } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { recordList, type RecordTable } from '../record-list.ts';
import { announcementForms, ANNOUNCEMENTS, BACK } from './form.ts';

const MAX_EXCERPT = 120;

/** `/admin/announcements`: all of them, published or not. */
const announcementsPage = consolePage({
  path: ANNOUNCEMENTS,
  permission: 'manage_announcements',
  show: async (request) => {
    const found = await request.api('GET v1/admin/announcements', { query: placeIn(request.query) });
    return {
      title: 'Announcements',
      actions: buttonLink(`${ANNOUNCEMENTS}/new`, 'New announcement', { icon: 'plus' }),
      body: html`<p class="quiet">All users see published announcements, and can react to them.</p>
        ${recordList(request, found, LISTED)}`,
    };
  },
});

const LISTED: RecordTable<AdminAnnouncement> = {
  columns: ['Announcement', 'State', 'Event', 'Actions'],
  cells: (each) => [
    html`<span dir="auto">${excerptOf(each)}</span>`,
    stateOf(each),
    html`${each.starts_at !== null && moment(each.starts_at)}${each.ends_at !== null && html` to ${moment(each.ends_at)}`}`,
    rowLinks(excerptOf(each), [
      [`${ANNOUNCEMENTS}/${each.id}/edit`, 'Edit'],
      each.published_at === null
        ? [`${ANNOUNCEMENTS}/${each.id}/publish`, 'Publish']
        : [`${ANNOUNCEMENTS}/${each.id}/unpublish`, 'Unpublish'],
      [`${ANNOUNCEMENTS}/${each.id}/delete`, 'Delete'],
    ]),
  ],
  caption: 'Announcements, the newest first',
  empty: { icon: 'megaphone', text: 'There are no announcements yet.' },
};

const excerptOf = ({ text }: AdminAnnouncement): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT).toWellFormed()}…` : line;
};

const stateOf = ({ published_at, scheduled_at }: AdminAnnouncement): Html => {
  if (published_at !== null) return html`${stateBadge('Published', 'good')} ${moment(published_at)}`;
  if (scheduled_at !== null) return html`${stateBadge('Scheduled', 'busy')} ${moment(scheduled_at)}`;
  return stateBadge('Draft');
};

interface Act {
  label: string;
  text: string;
  notice: Notice;
}
const ACTS: Record<'publish' | 'unpublish' | 'delete', Act> = {
  publish: {
    label: 'Publish now',
    text: 'All users see it at once, in their apps and on the web.',
    notice: 'announcement_published',
  },
  unpublish: {
    label: 'Unpublish',
    text: 'Users no longer see it. It stays here, to be published again.',
    notice: 'announcement_taken_back',
  },
  delete: {
    label: 'Delete the announcement',
    text: 'Users no longer see it, and the reactions to it are deleted as well. This cannot be undone.',
    notice: 'staff_removed',
  },
};

const announcementActPage = (verb: keyof typeof ACTS): WebPage =>
  actPage({
    path: `${ANNOUNCEMENTS}/:id/${verb}`,
    permission: 'manage_announcements',
    ask: async ({ api, params }) => {
      const { entity } = await api('GET v1/admin/announcements/:id', { params });
      const { label, text } = ACTS[verb];
      return {
        title: label,
        text: html`<blockquote class="letter" dir="auto">${excerptOf(entity)}</blockquote>
          <p>${text}</p>`,
        label,
        ...(verb === 'delete' && { look: 'danger' }),
        back: BACK,
      };
    },
    act: async ({ api, params }) => {
      const name =
        verb === 'delete'
          ? 'DELETE v1/admin/announcements/:id'
          : (`POST v1/admin/announcements/:id/${verb}` as const);
      await api(name, { params });
      return saying(ANNOUNCEMENTS, ACTS[verb].notice);
    },
  });

/** Messages of staff to all users. */
export const adminAnnouncementPages: readonly WebPage[] = [
  announcementsPage,
  ...announcementForms,
  ...(['publish', 'unpublish', 'delete'] as const).map(announcementActPage),
];
