import { emptyState, pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { byline } from '#interfaces/web/entities/byline.ts';
import { ago } from '#interfaces/web/entities/texts.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import { olderLink } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import type { FilterStatus, Status } from '#mastodon/schemas/index.ts';
import { excerptOf } from '../notifications/excerpt.ts';
import { FILTERS, partsFrom } from './list.ts';

/** Posts of one page, and of one call. */
const ON_A_PAGE = 20;

/** `/filters/:id/statuses`: the posts that a filter names, to take them out again. */
export const filterStatusesPage = userPage({
  path: `${FILTERS}/:id/statuses`,
  show: async (request) => {
    const { api, params, query } = request;
    const { id } = params;
    const { entity: filter } = await api('GET v2/filters/:id', { params: { id } });
    const all = filter.statuses ?? [];
    const offset = partsFrom(query);
    const entries = all.slice(offset, offset + ON_A_PAGE);
    const ids = entries.map(({ status_id }) => status_id);
    const statuses = ids.length === 0 ? [] : (await api('GET v1/statuses', { query: { id: ids } })).entity;
    const byId = new Map(statuses.map((each) => [each.id, each]));
    const view = viewOf(request);
    const next = offset + ON_A_PAGE;
    return {
      title: `Posts of ${filter.title}`,
      hidden: true,
      body: html`<p><a href="${FILTERS}/${id}/edit">Edit filter</a></p>
        ${pageHead(html`Posts of <bdi>${filter.title}</bdi>`)} ${noticeBox(request)}
        ${
          entries.length === 0
            ? emptyState({ icon: 'funnel', text: 'This filter names no posts.' })
            : html`<div class="feed">
                ${entries.map((each) => entryItem(each, byId.get(each.status_id), view))}
              </div>`
        }
        ${olderLink(request, next < all.length ? { offset: String(next) } : undefined)}`,
    };
  },
});

const entryItem = ({ id }: FilterStatus, status: Status | undefined, view: View): Html =>
  html`<article class="item" id="e${id}" ${status && html`aria-label="Post by ${status.account.acct}"`}>
    <div class="grow">
      ${
        status
          ? html`<div class="item-head">
                ${byline(status.account, view)} <span class="when">${ago(status.created_at, view.now)}</span>
              </div>
              ${excerptOf(status)}`
          : html`<p class="quiet">This post was deleted, or you cannot see it any more.</p>`
      }
      <div class="buttons">
        <button form="act" formaction="/web/v2/filters/statuses/${id}/delete" class="plain small">
          ${icon('x')}Remove from the filter
        </button>
      </div>
    </div>
  </article>`;
