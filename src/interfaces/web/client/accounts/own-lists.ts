import { pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import type { IconName } from '#interfaces/web/design/icons.ts';
import { plainName } from '#interfaces/web/entities/byline.ts';
import { personItem, personList } from '#interfaces/web/entities/person.ts';
import { momentText } from '#interfaces/web/entities/texts.ts';
import { problemBox } from '#interfaces/web/page/forms.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import { userPage, type WebPage } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { hereOf, viewOf } from '#interfaces/web/page/request-view.ts';
import { notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import type { Account, MutedAccount } from '#mastodon/schemas/index.ts';
import { offeringUndo, undoOnAccount } from './undo.ts';

interface OwnList {
  path: string;
  title: string;
  list: 'GET v1/blocks' | 'GET v1/mutes';
  nothing: { icon: IconName; text: string };
  /** The button of each account. */
  remove: { label: string; name: 'POST v1/accounts/:id/unblock' | 'POST v1/accounts/:id/unmute' };
  undo: { said: (name: Html) => Html; name: string; label: string };
  lineOf?: (account: Account | MutedAccount) => string | false;
}

const LISTS: readonly OwnList[] = [
  {
    path: '/blocks',
    title: 'Blocked users',
    list: 'GET v1/blocks',
    nothing: { icon: 'ban', text: "You haven't blocked any users yet." },
    remove: { label: 'Unblock', name: 'POST v1/accounts/:id/unblock' },
    undo: { said: (name) => html`You unblocked ${name}.`, name: 'block', label: 'Block again' },
  },
  {
    path: '/mutes',
    title: 'Muted users',
    list: 'GET v1/mutes',
    nothing: { icon: 'volume-x', text: "You haven't muted any users yet." },
    remove: { label: 'Unmute', name: 'POST v1/accounts/:id/unmute' },
    undo: { said: (name) => html`You unmuted ${name}.`, name: 'mute', label: 'Mute again' },
    lineOf: (account) =>
      'mute_expires_at' in account &&
      account.mute_expires_at !== null &&
      `Muted until ${momentText(account.mute_expires_at)}`,
  },
];

/** `/blocks` and `/mutes`. */
export const ownListPages: readonly WebPage[] = LISTS.map((each) =>
  userPage({
    path: each.path,
    show: async (request, tried) => {
      const { entity, next } = await request.api(each.list, { query: placeIn(request.query) });
      const view = viewOf(request);
      const here = hereOf(request);
      const items = entity.map((account) =>
        personItem(account, view, {
          actions: listButton(each.remove.label, here, account),
          line: each.lineOf?.(account),
        }),
      );
      return {
        title: each.title,
        hidden: true,
        body: html`${pageHead(each.title)} ${noticeBox(request)} ${problemBox(tried)}
        ${await undoOnAccount(request, each.undo)} ${personList(items, each.nothing)}
        ${olderLink(request, next)}`,
      };
    },
    submit: async (request, { account_id: id = '' }) => {
      if (!isId(id)) throw notFound();
      await request.api(each.remove.name, { params: { id } });
      return { redirect: offeringUndo(request, id) };
    },
  }),
);

/** A button of an account in such a list, which the page itself handles. */
export const listButton = (
  label: string,
  here: string,
  account: Account,
  { field = 'account_id', look = 'plain' }: { field?: string; look?: string } = {},
): Html =>
  html`<button
    form="act"
    formaction="${here}"
    class="${look} small"
    name="${field}"
    value="${account.id}"
    aria-label="${label}: ${plainName(account)}"
  >
    ${label}
  </button>`;
