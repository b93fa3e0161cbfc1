import type { FilterStatus, Status } from '../../../../mastodon/schemas/index.ts';
import { emptyState, pageHead } from '../../design/components.ts';
import { html, type Html } from '../../design/html.ts';
import { icon } from '../../design/icons.ts';
import { byline } from '../../entities/byline.ts';
import { ago } from '../../entities/texts.ts';
import type { View } from '../../entities/view.ts';
import { noticeBox } from '../../page/notices.ts';
import { userPage } from '../../page/page.ts';
import { viewOf } from '../../page/request-view.ts';
import { excerptOf } from '../notifications/excerpt.ts';
import { olderLink } from '../paging.ts';
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
