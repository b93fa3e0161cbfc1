import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { profilePath, webAddress } from '#interfaces/web/entities/addresses.ts';
import { avatarOf, plainName } from '#interfaces/web/entities/byline.ts';
import { isHidden } from '#interfaces/web/entities/filtered.ts';
import { statusItem } from '#interfaces/web/entities/status.ts';
import { ago, withEmojis } from '#interfaces/web/entities/texts.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import type { Account, GroupedNotifications } from '#mastodon/schemas/index.ts';
import { excerptOf } from './excerpt.ts';
import { KINDS } from './kinds.ts';
import { sentenceOf, type Told } from './sentence.ts';

/** Renders groups of notifications. `readUpTo` is the read marker: newer ones are unread. */
export function groupItems(found: GroupedNotifications, view: View, readUpTo: string | undefined): Html[] {
  const accounts = new Map(found.accounts.map((each) => [each.id, each]));
  const statuses = new Map(found.statuses.map((each) => [each.id, each]));
  return found.notification_groups.flatMap((group) => {
    const status = statuses.get(group.status_id ?? '');
    if (status && isHidden(status, view)) return [];
    const told: Told = {
      group,
      accounts: group.sample_account_ids.flatMap((id) => accounts.get(id) ?? []),
      status,
    };
    return [groupItem(told, view, isAfter(group.page_max_id, readUpTo))];
  });
}

/** Compares ids of notifications. Without a marker everything is unread. */
export const isAfter = (id: string | undefined, readUpTo: string | undefined): boolean =>
  BigInt(id ?? 0) > BigInt(readUpTo ?? 0);

function groupItem(told: Told, view: View, unread: boolean): Html {
  const { group, status } = told;
  const { type, page_max_id: id = group.group_key, latest_page_notification_at: at } = group;
  const { icon: sign, whole } = KINDS[type];
  const isPost = whole === true && status !== undefined;
  return html`<article
    class="notice kind-${type.replace('.', '-')}${unread && ' unread'}"
    id="n${id}"
    data-id="${id}"
    aria-labelledby="t${id}"
  >
    <header class="notice-head">
      <span class="notice-kind">${icon(sign)}</span>
      ${!isPost && avatarsOf(told.accounts, view)}
      <p id="t${id}">
        ${unread && html`<span class="hush">Unread: </span>`}${sentenceOf(told, view)}${at !== undefined && !isPost && html` · ${ago(at, view.now)}`}
      </p>
      <button
        form="act"
        formaction="/web/v2/notifications/${group.group_key}/dismiss"
        class="act"
        title="Dismiss"
        aria-label="Dismiss"
        aria-describedby="t${id}"
      >
        ${icon('x')}
      </button>
    </header>
    ${isPost ? statusItem(status, view) : html`<div class="notice-body">${subjectOf(told, view)}</div>`}
  </article>`;
}

const avatarsOf = (accounts: readonly Account[], { instance }: View): Html =>
  html`<span class="avatars">
    ${accounts.map((each) => html`<a href="${profilePath(each)}">${avatarOf(each, instance, 32, plainName(each))}</a>`)}
  </span>`;

function subjectOf({ group, accounts: [account], status }: Told, view: View): Html | false {
  const { type, report, collection, moderation_warning: warning } = group;
  if (status) return excerptOf(status, view);
  if (type === 'follow_request' && account) return requestButtons(account);
  if (type === 'follow' && account && group.notifications_count === 1) return noteOf(account);
  if (report) return html`<p class="quiet" dir="auto">${report.comment}</p>`;
  if (warning) return html`<p><a href="/settings/strikes">See why, and appeal</a></p>`;
  const page =
    collection && (collection.local ? `/collections/${collection.id}` : webAddress(collection.url));
  return page !== undefined && html`<p><a href="${page}">${collection?.name}</a></p>`;
}

const noteOf = ({ note, emojis }: Account): Html | false =>
  note !== '' && html`<div class="excerpt" dir="auto">${withEmojis(note, emojis)}</div>`;

const requestButtons = (account: Account): Html =>
  html`<div class="buttons">
    <button form="act" formaction="/web/v1/follow_requests/${account.id}/authorize" class="small">
      ${icon('check')}<span>Accept<span class="hush"> ${plainName(account)}</span></span>
    </button>
    <button form="act" formaction="/web/v1/follow_requests/${account.id}/reject" class="small plain">
      ${icon('x')}<span>Reject<span class="hush"> ${plainName(account)}</span></span>
    </button>
  </div>`;
