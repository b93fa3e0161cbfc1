import { backLink, pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { problemBox } from '#interfaces/web/page/forms.ts';
import { noticeBox, saying } from '#interfaces/web/page/notices.ts';
import { type Tried, userPage, type WebRequest, type WebResponse } from '#interfaces/web/page/page.ts';
import { olderLink } from '#interfaces/web/page/paging.ts';
import type { Filter } from '#mastodon/schemas/index.ts';
import { draftIn, draftOf, type FilterDraft, inputOf, MAX_ROWS, NEW_FILTER, withMoreRows } from './draft.ts';
import { filterForm } from './form.ts';
import { endOf, FILTERS, partsFrom } from './list.ts';

/** `/filters/new`. */
export const newFilterPage = userPage({
  path: `${FILTERS}/new`,
  acts: true,
  nested: true,
  show: (request, tried) => newPage(request, tried?.nested ? draftIn(tried.nested) : NEW_FILTER, tried),
  submit: async (request, fields, _files, nested) => {
    const draft = draftIn(nested);
    const { key = '' } = fields;
    if (fields['more'] !== undefined) {
      return newPage(request, withMoreRows(draft), { problems: [], fields });
    }
    await request.api('POST v2/filters', { body: inputOf(draft, false), key });
    return { redirect: saying(FILTERS, 'filter_saved') };
  },
  keep: (request, tried) => newPage(request, draftIn(tried.nested ?? {}), tried),
});

/** `/filters/:id/edit`: the settings of a filter and its keywords, a page of them at a time. */
export const editFilterPage = userPage({
  path: `${FILTERS}/:id/edit`,
  acts: true,
  nested: true,
  show: async (request, tried) => {
    const filter = await filterOf(request);
    const draft = tried?.nested ? draftIn(tried.nested) : draftOf(filter, partsFrom(request.query));
    return editPage(request, filter, draft, tried);
  },
  submit: async (request, fields, _files, nested) => {
    const filter = await filterOf(request);
    const draft = draftIn(nested);
    if (fields['more'] !== undefined) return editPage(request, filter, withMoreRows(draft));
    const shown = new Set(draft.keywords.map(({ id }) => id));
    const others = (filter.keywords ?? []).some(({ id }) => !shown.has(id));
    const hasOther = others || (filter.statuses ?? []).length > 0;
    await request.api('PUT v2/filters/:id', { params: request.params, body: inputOf(draft, hasOther) });
    return { redirect: saying(FILTERS, 'filter_saved') };
  },
  keep: (request, tried) =>
    page(
      request,
      'Edit filter',
      filterForm(request, draftIn(tried.nested ?? {}), { label: 'Save changes' }),
      { tried },
    ),
});

const filterOf = async ({ api, params: { id } }: WebRequest<{ id: string }>): Promise<Filter> =>
  (await api('GET v2/filters/:id', { params: { id } })).entity;

function newPage(request: WebRequest, draft: FilterDraft, tried: Tried | undefined): WebResponse {
  const key = tried?.fields['key'] ?? request.ctx.newId();
  return page(request, 'New filter', filterForm(request, draft, { label: 'Add filter', tried, key }), {
    tried,
  });
}

function editPage(request: WebRequest, filter: Filter, draft: FilterDraft, tried?: Tried): WebResponse {
  const { id, keywords = [], statuses = [] } = filter;
  const next = partsFrom(request.query) + MAX_ROWS;
  const more = html`${olderLink(request, next < keywords.length ? { offset: String(next) } : undefined)}
    ${statuses.length > 0 && html`<p><a href="${FILTERS}/${id}/statuses">Posts of this filter</a></p>`}
    <p><a class="button danger small" href="${FILTERS}/${id}/delete">Delete filter</a></p>`;
  const ends = endOf(filter, request.ctx.now);
  const content = filterForm(request, draft, { label: 'Save changes', tried, ends });
  return page(request, 'Edit filter', content, { tried, more });
}

const page = (
  request: WebRequest,
  title: string,
  content: Html,
  { tried, more }: { tried: Tried | undefined; more?: Part },
): WebResponse => ({
  title,
  hidden: true,
  body: html`${backLink(FILTERS, 'Filters')} ${pageHead(title)}
    ${noticeBox(request)}${tried && tried.problems.length > 0 && problemBox(tried)}
    <section class="box">${content}</section>
    ${more}`,
});
