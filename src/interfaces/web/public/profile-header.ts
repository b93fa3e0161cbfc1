import type { Account, FeaturedTag } from '../../../mastodon/schemas/index.ts';
import type { Instance } from '../../../kernel/context.ts';
import { handleOf, isOurs } from '../entities/addresses.ts';
import { html, type Html } from '../design/html.ts';
import { avatarOf, nameLink, nameOf, plainName } from '../entities/byline.ts';
import { counted, day, moment, textWithEmojis, withEmojis } from '../entities/texts.ts';

/** Renders an account: pictures, name, bio and counts. */
export function profileHeader(account: Account, tags: readonly FeaturedTag[], instance: Instance): Html {
  const { header_static, header_description, avatar_description, note, emojis } = account;
  return html`<header class="box profile">
    ${
      isOurs(header_static, instance) &&
      html`<img
        class="banner"
        src="${header_static}"
        alt="${header_description}"
        width="1500"
        height="500"
      />`
    }
    <div>
      ${avatarOf(account, instance, 96, avatar_description || `Picture of ${plainName(account)}`)}
      <h1>${nameOf(account)} <span class="handle">${handleOf(account, instance)}</span></h1>
      ${movedTo(account)} ${marksOf(account)}
      <div class="content" dir="auto">${withEmojis(note, emojis)}</div>
      ${fieldsOf(account)} ${featured(account, tags)} ${countsOf(account)}
    </div>
  </header>`;
}

const movedTo = (account: Account): Html | null | undefined =>
  account.moved &&
  html`<p>
    <strong>${nameOf(account)} has moved to ${nameLink(account.moved)} (@${account.moved.acct}).</strong>
  </p>`;

function marksOf({ bot, locked, created_at }: Account): Html {
  return html`<ul class="marks">
    ${bot && html`<li>Automated</li> `}${locked && html`<li>Approves followers</li> `}
    <li>Since ${day(created_at)}</li>
  </ul>`;
}

const fieldsOf = ({ fields, emojis }: Account): Html | false =>
  fields.length > 0 &&
  html`<dl class="fields">
    ${fields.map(
      ({ name, value, verified_at }) =>
        html`<div>
          <dt dir="auto">${textWithEmojis(name, emojis)}</dt>
          <dd dir="auto">
            ${withEmojis(value, emojis)}
            ${verified_at !== null && html`<span class="verified">✓ Verified on ${moment(verified_at)}</span>`}
          </dd>
        </div>`,
    )}
  </dl>`;

const featured = ({ show_featured }: Account, tags: readonly FeaturedTag[]): Html | false =>
  show_featured !== false &&
  tags.length > 0 &&
  html`<ul class="marks" aria-label="Featured hashtags">
    ${tags.map(({ name, url }) => html`<li><a href="${url}">#${name}</a></li> `)}
  </ul>`;

const countsOf = ({ statuses_count, following_count, followers_count }: Account): Html =>
  html`<ul class="marks" aria-label="Counts">
    <li>${counted(statuses_count, 'post')}</li>
    <li>${counted(following_count, 'following', 'following')}</li>
    <li>${counted(followers_count, 'follower')}</li>
  </ul>`;
