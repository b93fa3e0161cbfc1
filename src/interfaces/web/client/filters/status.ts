import { pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { byline } from '#interfaces/web/entities/byline.ts';
import { form, problemBox } from '#interfaces/web/page/forms.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import { type Tried, userPage, type WebRequest } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import type { Filter } from '#mastodon/schemas/index.ts';
import { excerptOf } from '../notifications/excerpt.ts';
import { draftIn, inputOf, NEW_FILTER } from './draft.ts';
import { actionField, contextFields, titleField } from './form.ts';
import { FILTERS } from './list.ts';

/** `/filters/status/:id`: adds a post to one of the filters, or to a new one. */
export const filterStatusPage = userPage({
  path: `${FILTERS}/status/:id`,
  acts: true,
  nested: true,
  show: async (request, tried) => {
    const { id } = request.params;
    const [{ entity: status }, { entity: filters }] = await Promise.all([
      request.api('GET v1/statuses/:id', { params: { id } }),
      request.api('GET v2/filters'),
    ]);
    return {
      title: 'Filter this post',
      hidden: true,
      body: html`${pageHead('Filter this post')} ${problemBox(tried)}
        <section class="box">${byline(status.account, viewOf(request))} ${excerptOf(status)}</section>
        ${filters.length > 0 && existing(filters, id)} ${newFilter(request, tried)}`,
    };
  },
  submit: async ({ api, params: { id } }, { key = '' }, _files, nested) => {
    const body = inputOf(draftIn({ ...nested, expires_in: '' }), true);
    const { entity } = await api('POST v2/filters', { body, key });
    // A repeat finds the same filter, and the same entry in it.
    const params = { filter_id: entity.id };
    await api('POST v2/filters/:filter_id/statuses', {
      params,
      body: { status_id: id },
      key: `${key}-status`,
    });
    return { redirect: saying(`${FILTERS}/${entity.id}/statuses`, 'post_filtered') };
  },
});

const existing = (filters: readonly Filter[], statusId: string): Html =>
  html`<section class="box">
    <h2>Add to a filter</h2>
    <ul class="people">
      ${filters.map(
        ({ id, title, statuses = [] }) =>
          html`<li class="item-head">
            <a class="name" href="${FILTERS}/${id}/edit" dir="auto">${title}</a>
            ${
              statuses.some(({ status_id }) => status_id === statusId)
                ? html`<span class="quiet">Is in this filter</span>`
                : html`<button
                    form="act"
                    formaction="/web/v2/filters/${id}/statuses"
                    name="status_id"
                    value="${statusId}"
                    class="plain small"
                  >
                    <span>Add<span class="hush"> to ${title}</span></span>
                  </button>`
            }
          </li>`,
      )}
    </ul>
  </section>`;

function newFilter(request: WebRequest, tried: Tried | undefined): Html {
  const draft = tried?.nested ? draftIn(tried.nested) : NEW_FILTER;
  const key = tried?.fields['key'] ?? request.ctx.newId();
  return html`<section class="box">
    <h2>Or a new filter</h2>
    ${form(
      request,
      html`${titleField(draft.title, tried)} ${actionField(draft.action)} ${contextFields(draft.context)}
        <button>Add filter</button>`,
      { hidden: { key } },
    )}
  </section>`;
}
