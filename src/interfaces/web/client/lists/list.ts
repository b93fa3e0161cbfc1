import { backLink, buttonLink, pageHead } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import { timeline } from '../timelines/timeline.ts';
import { LISTS } from './lists.ts';

/** `/lists/:id`: the posts of its members. */
export const listPage = userPage({
  path: `${LISTS}/:id`,
  show: async (request) => {
    const { id } = request.params;
    const nothing = {
      icon: 'list',
      text: 'There is nothing in this list yet. When its members post, their posts appear here.',
    } as const;
    const [{ entity: list }, posts] = await Promise.all([
      request.api('GET v1/lists/:id', { params: { id } }),
      timeline(request, {
        read: (query) => request.api('GET v1/timelines/list/:list_id', { params: { list_id: id }, query }),
        endless: true,
        nothing,
        stream: `list&list=${id}`,
      }),
    ]);
    if (request.wantsFragment) return { fragment: posts.items };
    const edit = buttonLink(`${LISTS}/${id}/edit`, 'Edit list', { look: 'plain small', icon: 'pencil' });
    return {
      title: list.title,
      hidden: true,
      body: html`${backLink(LISTS, 'Lists')} ${pageHead(html`<bdi>${list.title}</bdi>`, edit)}
      ${noticeBox(request)} ${posts.whole}`,
    };
  },
});
