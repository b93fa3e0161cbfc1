import { emptyState, pageHead } from '#interfaces/web/design/components.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { button, form, problemBox } from '#interfaces/web/page/forms.ts';
import { noticeBox, saying } from '#interfaces/web/page/notices.ts';
import { type Tried, userPage, type WebRequest, type WebResponse } from '#interfaces/web/page/page.ts';
import type { List } from '#mastodon/schemas/index.ts';
import { confirmation } from '../confirmation.ts';

export const LISTS = '/lists';
/** Characters of a title, as in Mastodon. */
export const MAX_TITLE = 256;

/** `/lists`: the user's lists, and a form for a new one. */
export const listsPage = userPage({
  path: LISTS,
  acts: true,
  show: async (request, tried) => {
    const { entity: lists } = await request.api('GET v1/lists');
    return page(request, { tried, lists: listBox(lists) });
  },
  submit: async ({ api }, { title = '', key = '' }) => {
    const { entity } = await api('POST v1/lists', { body: { title }, key });
    return { redirect: `${LISTS}/${entity.id}/edit` };
  },
  keep: (request, tried) => page(request, { tried }),
});

/** `/lists/:id/delete`. */
export const deleteListPage = confirmation({
  path: `${LISTS}/:id/delete`,
  ask: async ({ api, params: { id } }) => {
    const { entity } = await api('GET v1/lists/:id', { params: { id } });
    return {
      title: 'Delete this list?',
      text: html`<strong dir="auto">${entity.title}</strong> is deleted for good. You still follow its
        members.`,
      label: 'Delete list',
      back: `${LISTS}/${id}/edit`,
    };
  },
  act: async ({ api, params: { id } }) => {
    await api('DELETE v1/lists/:id', { params: { id } });
    return saying(LISTS, 'list_deleted');
  },
});

const page = (
  request: WebRequest,
  { tried, lists }: { tried: Tried | undefined; lists?: Html },
): WebResponse => ({
  title: 'Lists',
  hidden: true,
  body: html`${pageHead('Lists')} ${noticeBox(request)}${problemBox(tried)} ${lists}
    <section class="box">
      <h2>New list</h2>
      ${form(
        request,
        html`${textField(
          {
            name: 'title',
            label: 'List name',
            autocomplete: 'off',
            value: tried?.fields['title'] ?? '',
            problems: tried?.byField?.['title'],
          },
          MAX_TITLE,
        )}
        ${button('Create list')}`,
        { hidden: { key: tried?.fields['key'] ?? request.ctx.newId() } },
      )}
    </section>`,
});

function listBox(lists: readonly List[]): Html {
  if (lists.length === 0) {
    return emptyState({
      icon: 'list',
      text: 'You have no lists yet. A list is a timeline of some of the people that you follow.',
    });
  }
  return html`<ul class="feed">
    ${lists.map(
      ({ id, title, exclusive }) =>
        html`<li class="item">
          ${icon('list')}
          <a class="grow name" href="${LISTS}/${id}" dir="auto">${title}</a>
          ${exclusive && html`<span class="badge">Not in Home</span>`}
          <a class="button plain small" href="${LISTS}/${id}/edit">Edit<span class="hush"> ${title}</span></a>
        </li>`,
    )}
  </ul>`;
}
