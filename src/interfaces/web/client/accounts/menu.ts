import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon, type IconName } from '#interfaces/web/design/icons.ts';
import { profilePath, webAddress } from '#interfaces/web/entities/addresses.ts';
import { domainOfAccount, hostOfAccount } from '#interfaces/web/entities/person.ts';
import type { Person } from './account.ts';

/** Renders everything that the user can do with an account, besides following it. */
export function personChoices(person: Person): Html {
  const { account, isSelf } = person;
  const page = profilePath(account);
  const original = domainOfAccount(account) !== undefined && webAddress(account.url ?? account.uri);
  return html`<ul class="choices">
    ${!isSelf && writing(person)} ${settling(person)}
    ${
      original
        ? choice(original, 'external-link', 'Open original page')
        : choice(`${page}.rss`, 'rss', 'RSS feed')
    }
    ${choice(`${page}/more#address`, 'copy', 'Copy address')}
    ${!isSelf && account.suspended !== true && choice(`${page}/report`, 'flag', 'Report', 'danger')}
    ${!isSelf && blocking(person)}
  </ul>`;
}

const choice = (href: string, name: IconName, label: string, look?: string): Html =>
  html`<li>
    <a href="${href}" ${look !== undefined && html`class="${look}"`}>${icon(name)}${label}</a>
  </li> `;

const act = (path: string, name: IconName, label: string, domain?: string): Html =>
  html`<li>
    <button
      form="act"
      formaction="/web/v1/${path}"
      ${domain !== undefined && html`name="domain" value="${domain}"`}
    >
      ${icon(name)}${label}
    </button>
  </li> `;

function writing({ account: { acct, suspended } }: Person): Html | false {
  const mention = `/publish?${new URLSearchParams({ mention: acct }).toString()}`;
  return (
    suspended !== true &&
    html`${choice(mention, 'at-sign', 'Mention')}
    ${choice(`${mention}&visibility=direct`, 'mail', 'Mention privately')}`
  );
}

/** Renders choices about a follow, and about lists. */
function settling({ account, relationship, isSelf }: Person): Html {
  const { following, requested, endorsed, followed_by } = relationship;
  const page = profilePath(account);
  return html`${(following || requested) && choice(`${page}/follow`, 'settings', 'Change follow settings')}
  ${(following || requested || isSelf) && choice(`${page}/lists`, 'list', 'Add or remove from lists')}
  ${following && !endorsed && act(`accounts/${account.id}/endorse`, 'star', 'Feature on profile')}
  ${endorsed && act(`accounts/${account.id}/unendorse`, 'star', "Don't feature on profile")}
  ${!isSelf && choice(`${page}/note`, 'pencil', relationship.note === '' ? 'Add a personal note' : 'Edit personal note')}
  ${followed_by && choice(`${page}/remove_from_followers`, 'user-x', 'Remove from followers')}`;
}

function blocking({ account, relationship }: Person): Html {
  const page = profilePath(account);
  const domain = hostOfAccount(account);
  return html`${
    relationship.muting
      ? act(`accounts/${account.id}/unmute`, 'volume-x', 'Unmute')
      : choice(`${page}/mute`, 'volume-x', 'Mute', 'danger')
  }
  ${
    relationship.blocking
      ? act(`accounts/${account.id}/unblock`, 'ban', 'Unblock')
      : choice(`${page}/block`, 'ban', 'Block', 'danger')
  }
  ${
    domain !== '' &&
    (relationship.domain_blocking
      ? act('domain_blocks/delete', 'server', `Unblock domain ${domain}`, domain)
      : choice(`${page}/block_domain`, 'server', `Block domain ${domain}`, 'danger'))
  }`;
}
