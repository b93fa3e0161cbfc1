import { buttonLink, feed, menu, pageHead, tabs } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import { type SignedInRequest, userPage } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';
import type { NotificationPolicy } from '#mastodon/schemas/index.ts';
import { groupItems, isAfter } from './group.ts';
import { kindIn, KINDS, kindsFor } from './kinds.ts';

export const NOTIFICATIONS = '/notifications';
/** Groups of one page. */
const ON_A_PAGE = 30;

/** `/notifications`: what happened to the user, in groups; `?type=` limits it to one kind. */
export const notificationsPage = userPage({
  path: NOTIFICATIONS,
  show: async (request) => {
    const { api, query, user } = request;
    const kind = kindIn(query, kindsFor(user));
    const [{ entity: found, next }, { entity: markers }, { entity: policy }] = await Promise.all([
      api('GET v2/notifications', {
        query: { ...placeIn(query), limit: ON_A_PAGE, ...(kind && { types: [kind] }) },
      }),
      api('GET v1/markers', { query: { timeline: ['notifications'] } }),
      api('GET v2/notifications/policy'),
    ]);
    const readUpTo = markers.notifications?.last_read_id;
    const items = groupItems(found, viewOf(request), readUpTo);
    if (request.wantsFragment) return { fragment: html`${items}` };
    const [newest] = found.notification_groups;
    const isNewest = Object.keys(placeIn(query)).length === 0;
    const unread =
      isNewest && kind === undefined && isAfter(newest?.page_max_id, readUpTo)
        ? newest?.page_max_id
        : undefined;
    return {
      title: 'Notifications',
      hidden: true,
      body: html`${pageHead('Notifications', actionsOf(unread, items.length > 0))} ${noticeBox(request)}
        ${kindTabs(request, kind)} ${waiting(policy)}
        <div
          data-timeline="${request.path}"
          data-stream="user:notification"
          ${newest && html`data-newest="${newest.page_max_id}"`}
        >
          ${feed(items, { icon: 'bell', text: isNewest ? nothingOf(kind) : 'There are no older notifications.' })}
        </div>
        ${olderLink(request, found.notification_groups.length < ON_A_PAGE ? undefined : next)}`,
    };
  },
});

/** The marker moves only when the user says so, or the script on their behalf: opening a page changes nothing. */
const actionsOf = (unread: string | undefined, any: boolean): Html =>
  html`${
    unread !== undefined &&
    html`<button
      form="act"
      formaction="/web/v1/markers"
      name="notifications[last_read_id]"
      value="${unread}"
      class="plain small"
      data-mark-read="${unread}"
    >
      ${icon('check')}Mark as read
    </button>`
  }
  ${menu(
    'More',
    icon('settings'),
    html`<ul class="choices">
      <li><a href="/notifications/policy">${icon('funnel')}Who can notify you</a></li>
      <li><a href="/notifications/requests">${icon('users')}Filtered notifications</a></li>
      ${any && html`<li><a class="danger" href="/notifications/clear">${icon('trash-2')}Clear notifications</a></li>`}
    </ul>`,
  )}`;

const addressOf = (kind: string): string => `${NOTIFICATIONS}?type=${kind}`;

function kindTabs({ user }: SignedInRequest, kind: NotificationType | undefined): Html {
  const kinds = kindsFor(user);
  const other = kind !== undefined && kind !== 'mention';
  const links = [
    { href: NOTIFICATIONS, text: 'All' },
    { href: addressOf('mention'), text: 'Mentions' },
    ...(other ? [{ href: addressOf(kind), text: KINDS[kind].label }] : []),
  ];
  const choices = kinds.map(
    (each) =>
      html`<li>
        <a href="${addressOf(each)}" ${each === kind && html`aria-current="true"`}
          >${icon(KINDS[each].icon)}${KINDS[each].label}</a
        >
      </li>`,
  );
  return html`<div class="with-menu">
    ${tabs('Kinds of notifications', links, kind === undefined ? NOTIFICATIONS : addressOf(kind))}
    ${menu(
      'Filter by kind',
      html`${icon('funnel')}<span>Filter</span>`,
      html`<ul class="choices">
        ${choices}
      </ul>`,
    )}
  </div>`;
}

/** Leads to the people whose notifications wait for the user's decision. */
const waiting = ({ summary: { pending_requests_count: people } }: NotificationPolicy): Html | false =>
  people > 0 &&
  html`<p class="note waiting">
    <span>${icon('funnel')} ${counted(people, 'person', 'people')} that you may know</span>
    ${buttonLink('/notifications/requests', 'Filtered notifications', { look: 'plain small' })}
  </p>`;

const nothingOf = (kind: NotificationType | undefined): string =>
  kind === undefined
    ? 'You have no notifications yet. When others react to you, you see it here.'
    : `There are no notifications of this kind: ${KINDS[kind].label.toLowerCase()}.`;
