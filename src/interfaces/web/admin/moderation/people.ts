import { buttonLink } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { handleOf } from '#interfaces/web/entities/addresses.ts';
import { avatarOf, nameOf } from '#interfaces/web/entities/byline.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { mayDo } from '#mastodon/permissions.ts';
import type { Account, AdminAccount } from '#mastodon/schemas/index.ts';
import { accountPath, AUDIT, replayPath } from '../addresses.ts';
import { statesOf } from './words.ts';

/** Renders the picture, name and handle of an account as a link to its page in the console. */
export const personLink = (account: Account, { ctx: { instance } }: SignedInRequest, size = 36): Html =>
  html`<a class="author" href="${accountPath(account.id)}"
    >${avatarOf(account, instance, size)}
    <span class="names"
      >${nameOf(account)} <span class="handle" dir="ltr">${handleOf(account, instance)}</span></span
    ></a
  >`;

/** Renders the handle alone as a link to the page of the account in the console. */
export const handleLink = (account: { id: string; acct: string } | null): Html =>
  account === null
    ? html`a deleted account`
    : html`<a href="${accountPath(account.id)}" dir="ltr">@${account.acct}</a>`;

/** Renders the states of an account as badges. */
export function stateBadges(account: AdminAccount): Html {
  const states = statesOf(account);
  return states.length === 0
    ? stateBadge('Active', 'good')
    : html`${states.map(([text, look]) => html`${stateBadge(text, look)} `)}`;
}

/** Renders links to the history of an account, for roles that may read the audit log. */
export const historyLinks = (
  { user }: SignedInRequest,
  kind: 'account' | 'report',
  id: string,
): Html | false =>
  mayDo(user.role, 'view_audit_log') &&
  html`${buttonLink(replayPath(kind, id), 'Replay', { look: 'plain small', icon: 'history' })}
  ${buttonLink(`${AUDIT}?target=${id}`, 'Audit log', { look: 'plain small', icon: 'scroll-text' })}`;
