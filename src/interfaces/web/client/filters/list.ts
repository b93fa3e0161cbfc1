import { buttonLink, emptyState, pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { counted, momentText } from '#interfaces/web/entities/texts.ts';
import { noticeBox, saying } from '#interfaces/web/page/notices.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import type { Filter } from '#mastodon/schemas/index.ts';
import { confirmation } from '../confirmation.ts';
import { ACTIONS, CONTEXTS } from './texts.ts';

export const FILTERS = '/filters';

/** `/filters`: the user's filters. */
export const filtersPage = userPage({
  path: FILTERS,
  show: async (request) => {
    const { entity: filters } = await request.api('GET v2/filters');
    return {
      title: 'Filters',
      hidden: true,
      body: html`${pageHead('Filters', buttonLink(`${FILTERS}/new`, 'Add filter', { icon: 'plus' }))}
      ${noticeBox(request)}
      ${
        filters.length === 0
          ? emptyState({
              icon: 'funnel',
              text: 'You have no filters yet. A filter hides posts with words that you choose.',
            })
          : html`<div class="feed">${filters.map((each) => filterItem(each, request.ctx.now))}</div>`
      }`,
    };
  },
});

/** `/filters/:id/delete`. */
export const deleteFilterPage = confirmation({
  path: `${FILTERS}/:id/delete`,
  ask: async ({ api, params: { id } }) => {
    const { entity } = await api('GET v2/filters/:id', { params: { id } });
    return {
      title: 'Delete this filter?',
      text: html`<strong dir="auto">${entity.title}</strong> is deleted for good. What it hides is shown
        again.`,
      label: 'Delete filter',
      back: FILTERS,
    };
  },
  act: async ({ api, params: { id } }) => {
    await api('DELETE v2/filters/:id', { params: { id } });
    return saying(FILTERS, 'filter_deleted');
  },
});

/** Returns the end of a filter; undefined for one without. */
export const endOf = ({ expires_at: end }: Filter, now: string): string | undefined =>
  end === null ? undefined : `${end <= now ? 'expired' : 'expires'} ${momentText(end)}`;

/** Returns the place in a list of a filter's parts; text that is no number means the beginning. */
export const partsFrom = (query: URLSearchParams): number => {
  const text = query.get('offset') ?? '';
  return /^\d{1,4}$/.test(text) ? Number(text) : 0;
};

/** Keywords shown in the list. */
const MOST_KEYWORDS = 12;

function filterItem(filter: Filter, now: string): Html {
  const { id, title, context, filter_action, keywords = [], statuses = [] } = filter;
  const end = endOf(filter, now);
  const more = keywords.length - MOST_KEYWORDS;
  const name = html`<span class="hush"> ${title}</span>`;
  return html`<article class="filter" aria-label="${title}">
    <h2 dir="auto"><a href="${FILTERS}/${id}/edit">${title}</a></h2>
    <ul class="tags">
      ${keywords.slice(0, MOST_KEYWORDS).map(({ keyword }) => html`<li class="tag" dir="auto">${keyword}</li>`)}
      ${more > 0 && html`<li class="tag">${counted(more, 'more', 'more')}</li>`}
    </ul>
    <p class="quiet">
      ${ACTIONS[filter_action].label} ·
      ${context.map((each) => CONTEXTS[each]).join(', ')}${end !== undefined && ` · ${end}`}
    </p>
    <div class="buttons">
      <a class="button plain small" href="${FILTERS}/${id}/edit">Edit${name}</a>
      ${
        statuses.length > 0 &&
        html`<a class="button plain small" href="${FILTERS}/${id}/statuses"
          >${counted(statuses.length, 'post')}<span class="hush"> of ${title}</span></a
        >`
      }
      <a class="button danger small" href="${FILTERS}/${id}/delete">Delete${name}</a>
    </div>
  </article>`;
}
