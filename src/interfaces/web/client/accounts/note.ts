import { buttonLink } from '#interfaces/web/design/components.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { html } from '#interfaces/web/design/html.ts';
import { profilePath } from '#interfaces/web/entities/addresses.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import { keepTexts } from '#interfaces/web/page/kept-texts.ts';
import { unixLines } from '#interfaces/web/page/sent-texts.ts';
import { backTo, personPage } from './person-page.ts';

/** UTF-16 units, as in the API. */
const MAX_NOTE = 2_000;

/** `/@:name/note`: the user's private note about an account. */
export const notePage = personPage({
  path: 'note',
  title: () => 'Personal note',
  content: (request, { account, relationship }, tried) => {
    const value = tried?.fields['comment'] ?? relationship.note;
    const field = {
      name: 'comment',
      label: 'Note',
      autocomplete: 'off',
      hint: 'Only you see it. An empty note removes it.',
      value,
      focus: true,
    };
    return form(
      request,
      html`${longField(field, MAX_NOTE)}
        <div class="buttons">
          ${button('Save')} ${buttonLink(profilePath(account), 'Cancel', { look: 'plain' })}
        </div>`,
    );
  },
  keep: keepTexts({ comment: 'Your note' }),
  submit: async ({ request, person, fields }) => {
    const body = { comment: unixLines(fields['comment'] ?? '') };
    await request.api('POST v1/accounts/:id/note', { params: { id: person.account.id }, body });
    return backTo(person, 'noted');
  },
});
