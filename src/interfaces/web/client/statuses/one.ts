import { statusPath } from '#interfaces/web/entities/addresses.ts';
import { statusItem } from '#interfaces/web/entities/status.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';

/** `/web/statuses/:id`: one post as lists show it, for the script; others are led to its page. */
export const onePost = userPage({
  path: '/web/statuses/:id',
  show: async (request) => {
    const { entity } = await request.api('GET v1/statuses/:id', { params: request.params });
    const view = viewOf(request);
    const status = entity.reblog ?? entity;
    if (request.wantsFragment) return { fragment: statusItem(status, view) };
    return { redirect: statusPath(status) };
  },
});
