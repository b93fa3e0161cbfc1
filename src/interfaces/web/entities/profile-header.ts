import type { Instance } from '#kernel/context.ts';
import type { Account, FeaturedTag } from '#mastodon/schemas/index.ts';
import { type Html, html, type Part } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { handleOf, isOurs, profilePath } from './addresses.ts';
import { avatarOf, nameLink, nameOf, plainName } from './byline.ts';
import { compactNumber, counted, day, moment, textWithEmojis, withEmojis } from './texts.ts';
import type { View } from './view.ts';

export interface ProfileParts {
  tags: readonly FeaturedTag[];
  /** Buttons beside the picture. */
  actions?: Part;
  /** Marks of the visitor's relationship to the account, such as "Follows you". */
  badges?: readonly string[];
  /** Content below the counts. */
  more?: Part;
}

/** Renders an account: pictures, name, biography and counts. */
export function profileHeader(account: Account, view: View, parts: ProfileParts): Html {
  const { avatar_description, note, emojis } = account;
  const { instance } = view;
  return html`<header class="box profile">
    ${bannerOf(account, instance)}
    <div class="profile-body">
      <div class="profile-top">
        ${avatarOf(account, instance, 96, avatar_description || `Picture of ${plainName(account)}`)}
        ${parts.actions && html`<div class="buttons">${parts.actions}</div>`}
      </div>
      <h1>${nameOf(account)} <span class="handle" dir="ltr">${handleOf(account, instance)}</span></h1>
      ${badgesOf(parts.badges)} ${movedTo(account, view)} ${account.memorial === true && MEMORIAL}
      ${note !== '' && html`<div class="content" dir="auto">${withEmojis(note, emojis)}</div>`}
      ${fieldsOf(account)} ${featured(account, parts.tags)} ${marksOf(account)} ${countsOf(account)}
      ${parts.more}
    </div>
  </header>`;
}

/** The file of accounts that chose no picture. */
const NO_BANNER = /\/missing\.png$/;

const bannerOf = ({ header_static, header_description }: Account, instance: Instance): Html =>
  isOurs(header_static, instance) && !NO_BANNER.test(header_static)
    ? html`<img
        class="banner"
        src="${header_static}"
        alt="${header_description}"
        width="1500"
        height="500"
      />`
    : html`<div class="banner"></div>`;

const badgesOf = (badges: readonly string[] = []): Html | false =>
  badges.length > 0 &&
  html`<ul class="tags" aria-label="Relationship">
    ${badges.map((text) => html`<li class="badge">${text}</li> `)}
  </ul>`;

const MEMORIAL = html`<p class="note">In memoriam. This account is kept in memory of its owner.</p>`;

const movedTo = (account: Account, view: View): Html | null | undefined =>
  account.moved &&
  html`<p class="note">
    <span
      >${nameOf(account)} has moved to ${nameLink(account.moved, view)}
      <span dir="ltr">${handleOf(account.moved, view.instance)}</span>.</span
    >
  </p>`;

const marksOf = ({ bot, group, locked, created_at }: Account): Html =>
  html`<ul class="marks">
    ${bot && html`<li>${icon('bot')}Automated</li> `}${group && html`<li>${icon('users')}Group</li> `}
    ${locked && html`<li>${icon('lock')}Approves followers</li> `}
    <li>${icon('calendar')}Joined ${day(created_at)}</li>
  </ul>`;

const fieldsOf = ({ fields, emojis }: Account): Html | false =>
  fields.length > 0 &&
  html`<dl class="fields">
    ${fields.map(
      ({ name, value, verified_at }) =>
        html`<div>
          <dt dir="auto">${textWithEmojis(name, emojis)}</dt>
          <dd dir="auto">
            ${withEmojis(value, emojis)}
            ${verified_at !== null && html`<span class="verified">${icon('badge-check')}Verified on ${moment(verified_at)}</span>`}
          </dd>
        </div>`,
    )}
  </dl>`;

const featured = (account: Account, tags: readonly FeaturedTag[]): Html | false =>
  account.show_featured !== false &&
  tags.length > 0 &&
  html`<ul class="tags" aria-label="Featured hashtags">
    ${tags.map(
      ({ name }) =>
        html`<li>
          <a class="tag" href="${profilePath(account)}/tagged/${encodeURIComponent(name)}">#${name}</a>
        </li> `,
    )}
  </ul>`;

function countsOf(account: Account): Html {
  const { statuses_count, following_count, followers_count } = account;
  const page = profilePath(account);
  const link = (href: string, count: number, word: string): Html =>
    html`<li>
      <a href="${href}" title="${counted(count, word, word)}"
        ><strong>${compactNumber(count)}</strong> ${word}</a
      >
    </li> `;
  return html`<ul class="marks counts" aria-label="Counts">
    ${link(page, statuses_count, statuses_count === 1 ? 'post' : 'posts')}
    ${link(`${page}/following`, following_count, 'following')}
    ${link(`${page}/followers`, followers_count, followers_count === 1 ? 'follower' : 'followers')}
  </ul>`;
}
