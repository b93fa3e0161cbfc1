import type { Instance } from '#kernel/context.ts';
import type { Account } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { handleOf, isOurs, pageOfAccount } from './addresses.ts';
import { textWithEmojis } from './texts.ts';
import type { View } from './view.ts';

/** The name of an account as plain text. */
export const plainName = ({ display_name, username }: Account): string =>
  display_name.trim() === '' ? username : display_name;

export const nameOf = (account: Account): Html =>
  html`<bdi class="name">${textWithEmojis(plainName(account), account.emojis)}</bdi>`;

/** The name beside the picture describes it. */
export const avatarOf = ({ avatar_static }: Account, instance: Instance, size: number, alt = ''): Html => {
  const src = isOurs(avatar_static, instance)
    ? avatar_static
    : `${instance.origin}/avatars/original/missing.png`;
  return html`<img class="avatar" src="${src}" alt="${alt}" width="${size}" height="${size}" />`;
};

/** Renders an author or actor: picture, name and handle in one link. */
export function byline(account: Account, view: View): Html {
  const who = html`${avatarOf(account, view.instance, 46)}
    <span class="names"
      >${nameOf(account)} <span class="handle" dir="ltr">${handleOf(account, view.instance)}</span></span
    >`;
  const page = pageOfAccount(account, view);
  return page === undefined
    ? html`<span class="author">${who}</span>`
    : html`<a class="author" href="${page}">${who}</a>`;
}

/** Renders the name only, as a link. */
export function nameLink(account: Account, view?: View): Html {
  const page = pageOfAccount(account, view);
  return page === undefined ? nameOf(account) : html`<a href="${page}">${nameOf(account)}</a>`;
}
