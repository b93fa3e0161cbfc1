import { backLink, emptyState, pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { byline, plainName } from '#interfaces/web/entities/byline.ts';
import { ago, counted } from '#interfaces/web/entities/texts.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import { CSRF_FIELD } from '#interfaces/web/page/forms.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import { type SignedInRequest, userPage } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { hereOf, viewOf } from '#interfaces/web/page/request-view.ts';
import type { NotificationRequest } from '#mastodon/schemas/index.ts';
import { excerptOf } from './excerpt.ts';

export const REQUESTS = '/notifications/requests';

/** `/notifications/requests`: the accounts whose notifications were filtered, to accept or dismiss them. */
export const requestsPage = userPage({
  path: REQUESTS,
  show: async (request) => {
    const { entity: waiting, next } = await request.api('GET v1/notifications/requests', {
      query: placeIn(request.query),
    });
    const view = viewOf(request);
    return {
      title: 'Filtered notifications',
      hidden: true,
      body: html`${backToNotifications()} ${pageHead('Filtered notifications')} ${noticeBox(request)}
        <p class="quiet">
          Accepted accounts notify you from now on. Dismissed ones leave this list until they notify you
          again.
          <a href="/notifications/policy">Change who is filtered</a>
        </p>
        ${
          waiting.length === 0
            ? emptyState({ icon: 'funnel', text: 'No notifications are filtered at the moment.' })
            : severalForm(request, waiting, view)
        }
        ${olderLink(request, waiting.length === 0 ? undefined : next)}`,
    };
  },
});

export const backToNotifications = (): Html => backLink('/notifications', 'Notifications');

const severalForm = (request: SignedInRequest, waiting: readonly NotificationRequest[], view: View): Html =>
  html`<form method="post" action="/web/v1/notifications/requests/accept">
    <input type="hidden" name="${CSRF_FIELD}" value="${request.csrf}" />
    <input type="hidden" name="return_to" value="${hereOf(request)}" />
    <div class="feed">${waiting.map((each) => requestItem(each, view))}</div>
    <div class="buttons">
      <button>${icon('check')}Accept the selected</button>
      <button class="plain" formaction="/web/v1/notifications/requests/dismiss">
        ${icon('x')}Dismiss the selected
      </button>
    </div>
  </form>`;

function requestItem(
  { id, account, notifications_count, updated_at, last_status }: NotificationRequest,
  view: View,
): Html {
  const name = plainName(account);
  return html`<article class="item" aria-label="${name}">
    <input type="checkbox" name="id[]" value="${id}" aria-label="Select ${name}" />
    <div class="grow">
      <div class="item-head">
        ${byline(account, view)} <span class="when">${ago(updated_at, view.now)}</span>
      </div>
      ${last_status && excerptOf(last_status, view)}
      <div class="buttons">
        <a class="button plain small" href="${REQUESTS}/${id}"
          >Show ${counted(Number(notifications_count), 'notification')}<span class="hush">
            of ${name}</span
          ></a
        >
        ${answerButtons(id, name)}
      </div>
    </div>
  </article>`;
}

/** The buttons that answer one request. */
export const answerButtons = (id: string, name: string): Html =>
  html`<button form="act" formaction="/web/v1/notifications/requests/${id}/accept" class="plain small">
      ${icon('check')}<span>Accept<span class="hush"> ${name}</span></span>
    </button>
    <button form="act" formaction="/web/v1/notifications/requests/${id}/dismiss" class="plain small">
      ${icon('x')}<span class="wide-text">Dismiss<span class="hush"> ${name}</span></span>
    </button>`;
