import { checkField, radioField } from '#interfaces/web/design/choice-fields.ts';
import { backLink, buttonLink, pageHead } from '#interfaces/web/design/components.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { button, form, problemBox } from '#interfaces/web/page/forms.ts';
import { noticeBox, saying } from '#interfaces/web/page/notices.ts';
import { type Tried, userPage, type WebRequest } from '#interfaces/web/page/page.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import type { List } from '#mastodon/schemas/index.ts';
import { LISTS, MAX_TITLE } from './lists.ts';
import { membersOf } from './members.ts';

const REPLIES = [
  { value: 'none', label: 'No one' },
  { value: 'list', label: 'Members of the list' },
  { value: 'followed', label: 'Any followed user' },
] as const;

/** `/lists/:id/edit`: its settings, and its members. `?q=` searches the followed accounts. */
export const editListPage = userPage({
  path: `${LISTS}/:id/edit`,
  acts: true,
  show: async (request, tried) => {
    const { id } = request.params;
    const [{ entity: list }, members] = await Promise.all([
      request.api('GET v1/lists/:id', { params: { id } }),
      membersOf(request, id),
    ]);
    return {
      title: `Edit ${list.title}`,
      hidden: true,
      body: html`${backLink(`${LISTS}/${id}`, 'Show the posts of this list')} ${pageHead('Edit list')}
        ${noticeBox(request)}${problemBox(tried)}
        <section class="box">${settingsForm(request, list, tried)}</section>
        ${members}`,
    };
  },
  submit: async ({ api, path, params: { id } }, { title = '', replies_policy = '', exclusive }) => {
    const body = { title, replies_policy: asSent(replies_policy), exclusive: exclusive === 'true' };
    await api('PUT v1/lists/:id', { params: { id }, body });
    return { redirect: saying(path, 'list_saved') };
  },
});

function settingsForm(request: WebRequest, list: List, tried: Tried | undefined): Html {
  const fields = tried?.fields;
  return form(
    request,
    html`${textField(
        {
          name: 'title',
          label: 'List name',
          autocomplete: 'off',
          value: fields?.['title'] ?? list.title,
          problems: tried?.byField?.['title'],
        },
        MAX_TITLE,
      )}
      ${radioField({
        name: 'replies_policy',
        label: 'Include replies to',
        choices: REPLIES,
        chosen: fields?.['replies_policy'] ?? list.replies_policy,
      })}
      ${checkField({
        name: 'exclusive',
        label: 'Hide members in Home',
        hint: 'Their posts are in this list alone.',
        checked: fields ? fields['exclusive'] === 'true' : list.exclusive,
      })}
      <div class="buttons">
        ${button('Save changes')}
        ${buttonLink(`${LISTS}/${list.id}/delete`, 'Delete list', { look: 'danger', icon: 'trash-2' })}
      </div>`,
  );
}
