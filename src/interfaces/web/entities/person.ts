import type { Account, Relationship } from '#mastodon/schemas/index.ts';
import { emptyState } from '../design/components.ts';
import { type Html, html, type Part } from '../design/html.ts';
import type { IconName } from '../design/icons.ts';
import { profilePath } from './addresses.ts';
import { byline, plainName } from './byline.ts';
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

interface ActOnPerson {
  look?: string;
  /** In a list, the button names the account. */
  listed?: boolean;
}

/** Renders a button that acts on an account; `path` is the endpoint below `/web/v1/`. */
export const personButton = (
  label: string,
  path: string,
  account: Account,
  { look = '', listed = false, value }: ActOnPerson & { value?: readonly [name: string, value: string] } = {},
): Html =>
  html`<button
    form="act"
    formaction="/web/v1/${path}"
    class="${look}${listed && ' small'}"
    ${listed && html`aria-label="${label}: ${plainName(account)}"`}
    ${value && html`name="${value[0]}" value="${value[1]}"`}
  >
    ${label}
  </button>`;

/** Renders the button for the present state of a follow; false where nothing can be done. */
export function followButton(
  account: Account,
  relationship: Relationship | undefined,
  view: View,
  { listed = false }: { listed?: boolean } = {},
): Html | false {
  const { id, locked } = account;
  if (!view.user || view.user.id === id || !relationship) return false;
  const act = (label: string, name: string, look?: string): Html =>
    personButton(label, `accounts/${id}/${name}`, account, { listed, ...(look !== undefined && { look }) });
  if (relationship.blocking) return act('Unblock', 'unblock', 'plain');
  if (relationship.domain_blocking) return unblockDomainButton(account, { listed });
  if (relationship.requested) return act('Cancel request', 'unfollow', 'plain');
  if (relationship.following) {
    return locked ? unfollowLink(account, listed) : act('Unfollow', 'unfollow', 'plain');
  }
  if (account.suspended === true || account.moved) return false;
  if (locked) return act('Request to follow', 'follow');
  return act(relationship.followed_by ? 'Follow back' : 'Follow', 'follow');
}

/** To follow an account again that approves its followers takes its consent, so a page asks first. */
const unfollowLink = (account: Account, listed: boolean): Html =>
  html`<a
    class="button plain${listed && ' small'}"
    href="${profilePath(account)}/unfollow"
    ${listed && html`aria-label="Unfollow: ${plainName(account)}"`}
    >Unfollow</a
  >`;

/** Returns the domain of a remote account. */
export const domainOfAccount = ({ acct }: Pick<Account, 'acct'>): string | undefined =>
  acct.includes('@') ? acct.slice(acct.lastIndexOf('@') + 1) : undefined;

const unblockDomainButton = (account: Account, { listed }: { listed: boolean }): Html =>
  personButton('Unblock domain', 'domain_blocks/delete', account, {
    look: 'plain',
    listed,
    value: ['domain', hostOfAccount(account)],
  });

/** Blocks name hosts without a port. */
export const hostOfAccount = (account: Pick<Account, 'acct'>): string =>
  (domainOfAccount(account) ?? '').replace(/:\d+$/, '');
