import type { WebPage } from '#interfaces/web/page/page.ts';
import { notificationActions } from './actions.ts';
import { announcementsPage } from './announcements.ts';
import { clearPage } from './clear.ts';
import { conversationsPage, removeConversationPage } from './conversations.ts';
import { notificationsPage } from './page.ts';
import { policyPage } from './policy.ts';
import { requestPage } from './request.ts';
import { requestsPage } from './requests.ts';
import { unreadCounts } from './unread.ts';

/** Notifications, private mentions and announcements. */
export const notificationPages: readonly WebPage[] = [
  notificationsPage,
  requestsPage,
  requestPage,
  policyPage,
  clearPage,
  conversationsPage,
  removeConversationPage,
  announcementsPage,
  unreadCounts,
  ...notificationActions,
];
