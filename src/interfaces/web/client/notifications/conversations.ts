import { buttonLink, feed, pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { avatarOf, nameLink, plainName } from '#interfaces/web/entities/byline.ts';
import { ago } from '#interfaces/web/entities/texts.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import { noticeBox, saying } from '#interfaces/web/page/notices.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import type { Conversation } from '#mastodon/schemas/index.ts';
import { confirmation } from '../confirmation.ts';
import { excerptOf } from './excerpt.ts';

const CONVERSATIONS = '/conversations';

/** `/conversations`: private mentions, by their participants. */
export const conversationsPage = userPage({
  path: CONVERSATIONS,
  show: async (request) => {
    const { entity: found, next } = await request.api('GET v1/conversations', {
      query: placeIn(request.query),
    });
    const view = viewOf(request);
    const items = found.map((each) => conversationItem(each, view));
    if (request.wantsFragment) return { fragment: html`${items}` };
    const write = buttonLink('/publish?visibility=direct', 'New private mention', { icon: 'pencil' });
    return {
      title: 'Private mentions',
      hidden: true,
      body: html`${pageHead('Private mentions', write)} ${noticeBox(request)}
        <div data-timeline="${request.path}" data-stream="direct" data-newest="${found[0]?.last_status?.id}">
          ${feed(items, {
            icon: 'at-sign',
            text: 'You have no private mentions yet. They reach only the people that they mention.',
          })}
        </div>
        ${olderLink(request, found.length === 0 ? undefined : next)}`,
    };
  },
});

/** `/conversations/:id/delete` takes a conversation from the list. */
export const removeConversationPage = confirmation({
  path: `${CONVERSATIONS}/:id/delete`,
  // No endpoint shows one conversation, so the question does not tell whether it exists.
  ask: ({ params: { id } }) => {
    if (!isId(id)) throw notFound();
    return {
      title: 'Remove this conversation?',
      text: 'It disappears from your private mentions until somebody writes in it again. The posts stay, for you and for the others.',
      label: 'Remove',
      back: CONVERSATIONS,
    };
  },
  act: async ({ api, params: { id } }) => {
    await api('DELETE v1/conversations/:id', { params: { id } });
    return saying(CONVERSATIONS, 'conversation_removed');
  },
});

/** Pictures shown of a conversation's participants. */
const MOST_AVATARS = 4;

function conversationItem({ id, unread, accounts, last_status: last }: Conversation, view: View): Html {
  const names = accounts.map(plainName).join(', ');
  return html`<article
    class="item conversation${unread && ' unread'}"
    id="c${id}"
    data-id="${id}"
    aria-label="With ${names}"
  >
    <span class="avatars stacked">
      ${accounts.slice(0, MOST_AVATARS).map((each) => avatarOf(each, view.instance, 46))}
    </span>
    <div class="grow">
      <div class="item-head">
        <p>
          ${unread && html`<span class="hush">Unread: </span>`}${accounts.map((each, index) => html`${index > 0 && ', '}${nameLink(each, view)}`)}
        </p>
        ${last && html`<span class="when">${ago(last.created_at, view.now)}</span>`}
      </div>
      ${last && html`<div class="last">${last.account.id === view.user?.id && html`<span class="quiet">You: </span>`}${excerptOf(last, view)}</div>`}
      <div class="buttons">
        ${last && buttonLink(`/publish?in_reply_to_id=${last.id}`, 'Reply', { icon: 'reply', look: 'plain small' })}
        ${
          unread &&
          html`<button form="act" formaction="/web/v1/conversations/${id}/read" class="plain small">
            ${icon('check')}Mark as read
          </button>`
        }
        ${buttonLink(`${CONVERSATIONS}/${id}/delete`, html`<span class="wide-text">Remove</span>`, { icon: 'trash-2', look: 'plain small' })}
      </div>
    </div>
  </article>`;
}
