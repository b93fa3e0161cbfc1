import { checkField, radioField } from '#interfaces/web/design/choice-fields.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { keepTexts } from '#interfaces/web/page/kept-texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { Fields, Tried, WebPage } from '#interfaces/web/page/page.ts';
import type { AdminAnnouncement } from '#mastodon/schemas/index.ts';
import { actPage } from '../act-page.ts';
import { momentField } from '../moments.ts';

export const ANNOUNCEMENTS = '/admin/announcements';
export const BACK = [ANNOUNCEMENTS, 'Announcements'] as const;
const MAX_TEXT = 10_000;
const WHEN = [
  { value: 'now', label: 'Publish now', hint: 'All users see it at once.' },
  { value: 'later', label: 'Publish at the time below' },
  { value: 'draft', label: 'Keep it as a draft', hint: 'You can publish it later.' },
] as const;

const newAnnouncementPage = actPage({
  path: `${ANNOUNCEMENTS}/new`,
  permission: 'manage_announcements',
  keep: keepTexts({ text: 'Announcement' }),
  ask: (_request, tried) => ({
    title: 'New announcement',
    text: 'All users see it in their apps and on the web. Links, hashtags and names of users work as in posts.',
    fields: html`${contentFields(tried?.fields ?? {}, tried)}
    ${radioField({ name: 'when', label: 'When to publish it', choices: WHEN, chosen: tried?.fields['when'] ?? 'now' })}
    ${publishTimeField(tried?.fields ?? {})}`,
    label: 'Save',
    back: BACK,
  }),
  act: async ({ api }, { when = 'now', scheduled_at = '', ...fields }) => {
    const timed = when === 'later' ? { scheduled_at } : {};
    // Without its time it would be published at once.
    const draft = when === 'draft' || (when === 'later' && scheduled_at === '');
    await api('POST v1/admin/announcements', { body: { ...contentIn(fields), ...timed, draft } });
    return saying(ANNOUNCEMENTS, 'announcement_saved');
  },
});

const editAnnouncementPage = actPage({
  path: `${ANNOUNCEMENTS}/:id/edit`,
  permission: 'manage_announcements',
  keep: keepTexts({ text: 'Announcement' }),
  ask: async ({ api, params }, tried) => {
    const { entity } = await api('GET v1/admin/announcements/:id', { params });
    const fields = tried?.fields ?? fieldsOf(entity);
    return {
      title: 'Edit announcement',
      text:
        entity.published_at === null
          ? 'It is not published: users do not see it.'
          : 'It is published: users see the changes at once.',
      fields: html`${contentFields(fields, tried)} ${entity.published_at === null && publishTimeField(fields)}`,
      label: 'Save',
      back: BACK,
    };
  },
  act: async ({ api, params }, { scheduled_at, ...fields }) => {
    const timed = scheduled_at === undefined ? {} : { scheduled_at };
    await api('PUT v1/admin/announcements/:id', { params, body: { ...contentIn(fields), ...timed } });
    return saying(ANNOUNCEMENTS, 'announcement_saved');
  },
});

const fieldsOf = ({ text, starts_at, ends_at, all_day, scheduled_at }: AdminAnnouncement): Fields => ({
  text,
  starts_at: fieldTime(starts_at),
  ends_at: fieldTime(ends_at),
  all_day: String(all_day),
  scheduled_at: fieldTime(scheduled_at),
});

/** Returns a time in the form of its field. */
const fieldTime = (time: string | null): string => (time ?? '').slice(0, 16).replace('T', ' ');

const contentIn = ({ text = '', starts_at = '', ends_at = '', all_day }: Fields): Record<string, string> => ({
  text,
  starts_at,
  ends_at,
  all_day: all_day === 'true' ? 'true' : 'false',
});

const contentFields = (fields: Fields, tried: Tried | undefined): Html =>
  html`${longField(
    {
      name: 'text',
      label: 'Announcement',
      autocomplete: 'off',
      value: fields['text'] ?? '',
      problems: tried?.byField?.['text'],
    },
    MAX_TEXT,
  )}
  ${momentField({ name: 'starts_at', label: 'Beginning of the event (UTC, optional)', value: fields['starts_at'] ?? '' })}
  ${momentField({ name: 'ends_at', label: 'End of the event (UTC, optional)', hint: 'The announcement is unpublished then.', value: fields['ends_at'] ?? '' })}
  ${checkField({ name: 'all_day', label: 'Whole days', hint: 'Only the days of the beginning and the end count.', checked: fields['all_day'] === 'true' })}`;

const publishTimeField = (fields: Fields): Html =>
  momentField({
    name: 'scheduled_at',
    label: 'Time to publish it (UTC, optional)',
    value: fields['scheduled_at'] ?? '',
  });

export const announcementForms: readonly WebPage[] = [newAnnouncementPage, editAnnouncementPage];
