import { checkField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { profilePath } from '#interfaces/web/entities/addresses.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { textsIn } from '#interfaces/web/page/sent-texts.ts';
import type { List } from '#mastodon/schemas/index.ts';
import { backTo, personPage } from './person-page.ts';

/** `/@:name/lists`: which of the user's lists contain an account. */
export const accountListsPage = personPage({
  path: 'lists',
  nested: true,
  title: () => 'Add or remove from lists',
  isFor: ({ relationship: { following, requested }, isSelf }) => following || requested || isSelf,
  content: async (request, { account }, tried) => {
    const [lists, holding] = await listsOf(request, account.id);
    if (lists.length === 0) {
      return html`<p>You don't have any lists yet.</p>
        ${buttonLink('/lists', 'Create a list')}`;
    }
    const sent = tried?.nested && new Set(textsIn(tried.nested['lists']));
    return form(
      request,
      html`<fieldset>
          <legend>Lists</legend>
          ${lists.map(({ id, title }) =>
            checkField({
              name: 'lists[]',
              id: `list-${id}`,
              value: id,
              label: html`<bdi>${title}</bdi>`,
              checked: (sent ?? holding).has(id),
            }),
          )}
        </fieldset>
        <div class="buttons">
          ${button('Save')} ${buttonLink(profilePath(account), 'Cancel', { look: 'plain' })}
        </div>`,
    );
  },
  submit: async ({ request, person, nested }) => {
    const { id } = person.account;
    const [lists, holding] = await listsOf(request, id);
    const chosen = new Set(textsIn(nested['lists']));
    const body = { account_ids: [id] };
    // Unknown lists are not among them: nothing is changed for them.
    for (const { id: list } of lists) {
      if (chosen.has(list) === holding.has(list)) continue;
      const name = chosen.has(list) ? 'POST v1/lists/:id/accounts' : 'DELETE v1/lists/:id/accounts';
      await request.api(name, { params: { id: list }, body });
    }
    return backTo(person, 'lists_changed');
  },
});

async function listsOf(request: SignedInRequest, id: string): Promise<[readonly List[], Set<string>]> {
  const [all, holding] = await Promise.all([
    request.api('GET v1/lists'),
    request.api('GET v1/accounts/:id/lists', { params: { id } }),
  ]);
  return [all.entity, new Set(holding.entity.map((list) => list.id))];
}
