import { html } from '#interfaces/web/design/html.ts';
import { handleOf, webAddress } from '#interfaces/web/entities/addresses.ts';
import { followButton } from '#interfaces/web/entities/person.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { personChoices } from './menu.ts';
import { personPage } from './person-page.ts';

/** `/@:name/more`: everything that can be done with an account, and its addresses to copy. */
export const morePage = personPage({
  path: 'more',
  title: () => 'More',
  isFor: () => true,
  content: (request, person) => {
    const { account, relationship } = person;
    const view = viewOf(request);
    const address = webAddress(account.url) ?? webAddress(account.uri) ?? '';
    return html`<div class="buttons">${followButton(account, relationship, view)}</div>
      ${personChoices(person)}
      <div id="address">
        <label for="handle">Handle</label>
        <input
          type="text"
          id="handle"
          dir="ltr"
          readonly
          value="${handleOf(account, view.instance)}"
          data-copy
        />
        <label for="link">Link</label>
        <input type="text" id="link" dir="ltr" readonly value="${address}" data-copy />
      </div>`;
  },
});
