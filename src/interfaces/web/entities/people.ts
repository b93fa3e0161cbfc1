import type { Account } from '../../../mastodon/schemas/index.ts';
import { emptyState } from '../design/components.ts';
import { html, type Html, type Part } from '../design/html.ts';
import type { IconName } from '../design/icons.ts';
import { byline } from './byline.ts';
import { withEmojis } from './texts.ts';
import type { View } from './view.ts';

/** Renders an account of a list, with its buttons. */
export const personItem = (
  account: Account,
  view: View,
  { actions, line, note = false }: { actions?: Part; line?: Part; note?: boolean } = {},
): Html =>
  html`<li class="person">
    <div class="person-head">
      ${byline(account, view)}${actions && html`<div class="buttons">${actions}</div>`}
    </div>
    ${line && html`<p class="quiet">${line}</p>`}
    ${note && account.note !== '' && html`<div class="content brief" dir="auto">${withEmojis(account.note, account.emojis)}</div>`}
  </li>`;

/** Renders a list of accounts, or says that there are none. */
export const personList = (items: readonly Html[], nothing: { icon: IconName; text: string }): Html =>
  items.length === 0
    ? emptyState(nothing)
    : html`<ul class="feed persons">
        ${items}
      </ul>`;
