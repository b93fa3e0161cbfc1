import { countBadge } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { openPage } from '#interfaces/web/page/page.ts';

/**
 * `/web/unread`: the badge with the number of unread notifications, for the script; empty without any.
 * Strangers get the status 401.
 */
export const unreadCounts = openPage({
  path: '/web/unread',
  show: async ({ api, user }) => {
    if (!user) return { fragment: html``, status: 401 };
    const { entity } = await api('GET v2/notifications/unread_count');
    return { fragment: html`${countBadge(entity.count)}` };
  },
});
