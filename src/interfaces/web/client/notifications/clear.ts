import { saying } from '#interfaces/web/page/notices.ts';
import { confirmation } from '../confirmation.ts';
import { NOTIFICATIONS } from './page.ts';

/** `/notifications/clear` dismisses everything. */
export const clearPage = confirmation({
  path: `${NOTIFICATIONS}/clear`,
  ask: () => ({
    title: 'Clear notifications',
    text: 'All of your notifications are removed for good, also those that were filtered. The posts, follows and reports they are about stay.',
    label: 'Clear all notifications',
    back: NOTIFICATIONS,
  }),
  act: async ({ api }) => {
    await api('POST v2/notifications/clear');
    return saying(NOTIFICATIONS, 'notifications_cleared');
  },
});
