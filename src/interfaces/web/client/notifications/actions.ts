import { action } from '#interfaces/web/page/action.ts';

/** The buttons of notifications, requests, conversations and announcements. */
export const notificationActions = [
  action('POST v1/markers'),
  action('POST v1/notifications/requests/accept', { notice: 'requests_accepted' }),
  action('POST v1/notifications/requests/dismiss', { notice: 'requests_dismissed' }),
  action('POST v1/notifications/requests/:id/accept', {
    notice: 'requests_accepted',
    leadsTo: () => '/notifications/requests',
  }),
  action('POST v1/notifications/requests/:id/dismiss', {
    notice: 'requests_dismissed',
    leadsTo: () => '/notifications/requests',
  }),
  action('POST v2/notifications/:group_key/dismiss'),
  action('POST v1/conversations/:id/read', { anchor: ({ id = '' }) => `c${id}` }),
  action('POST v1/announcements/:id/dismiss'),
  action('PUT v1/announcements/:id/reactions/:name'),
  action('DELETE v1/announcements/:id/reactions/:name'),
];
