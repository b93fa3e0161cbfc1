import type { Account } from '#mastodon/schemas/index.ts';
import { buttonLink, pageHead, tabs } from '../design/components.ts';
import { type Html, html } from '../design/html.ts';
import { profilePath, webAddress } from './addresses.ts';
import { nameLink, plainName } from './byline.ts';
import { personList } from './person.ts';
import type { View } from './view.ts';

export type FollowsList = 'followers' | 'following';

const NOTHING: Record<FollowsList, string> = {
  followers: 'This account has no followers that can be shown.',
  following: 'This account follows nobody that can be shown.',
};

export const followsTitle = (account: Account, list: FollowsList): string =>
  list === 'followers' ? `Followers of ${plainName(account)}` : `Followed by ${plainName(account)}`;

/** Renders the followers of an account, or the accounts that it follows. */
export function followsPage(account: Account, list: FollowsList, items: readonly Html[], view: View): Html {
  const page = profilePath(account);
  const hides = account.hide_collections === true && view.user?.id !== account.id;
  const links = [
    { href: `${page}/followers`, text: 'Followers' },
    { href: `${page}/following`, text: 'Following' },
  ];
  return html`${pageHead(list === 'followers' ? html`Followers of ${nameLink(account, view)}` : html`Followed by ${nameLink(account, view)}`)}
  ${tabs('Network', links, `${page}/${list}`)}
  ${
    hides && items.length === 0
      ? personList([], { icon: 'eye-off', text: 'This account has chosen not to make this list available.' })
      : personList(items, { icon: 'users', text: NOTHING[list] })
  }
  ${remoteHint(account, list)}`;
}

/** This server knows of a remote account only the connections to accounts here. */
function remoteHint(account: Account, list: FollowsList): Html | false {
  const original = webAddress(account.url) ?? webAddress(account.uri);
  return (
    account.acct.includes('@') &&
    html`<div class="box remote-hint">
      <p>
        ${list === 'followers' ? 'Followers' : 'Follows'} on other servers are not shown; their server has the
        whole list.
      </p>
      ${original !== undefined && buttonLink(original, 'Open original page', { look: 'plain', icon: 'external-link' })}
    </div>`
  );
}
