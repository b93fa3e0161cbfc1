import { feed, pageHead } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { byline, plainName } from '#interfaces/web/entities/byline.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { groupItems } from './group.ts';
import { answerButtons, REQUESTS } from './requests.ts';

/** `/notifications/requests/:id`: the filtered notifications of one account. */
export const requestPage = userPage({
  path: `${REQUESTS}/:id`,
  show: async (request) => {
    const { api, params, query } = request;
    const { id } = params;
    const { entity: waiting } = await api('GET v1/notifications/requests/:id', { params: { id } });
    const { account } = waiting;
    const { entity: found, next } = await api('GET v2/notifications', {
      query: { ...placeIn(query), account_id: account.id, include_filtered: true },
    });
    const view = viewOf(request);
    const name = plainName(account);
    const title = `Notifications from ${name}`;
    const items = groupItems(found, view, found.notification_groups[0]?.page_max_id);
    return {
      title,
      hidden: true,
      body: html`<p><a href="${REQUESTS}">Filtered notifications</a></p>
        ${pageHead(html`<bdi>${title}</bdi>`)}
        <div class="box item-head">
          ${byline(account, view)}
          <div class="buttons">${answerButtons(id, name)}</div>
        </div>
        ${feed(items, { icon: 'bell', text: 'There are no notifications from this account.' })}
        ${olderLink(request, found.notification_groups.length === 0 ? undefined : next)}`,
    };
  },
});
