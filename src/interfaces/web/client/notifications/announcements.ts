import { feed, menu, pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { ago, day, moment, withEmojis } from '#interfaces/web/entities/texts.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import { form, problemBox } from '#interfaces/web/page/forms.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import { type SignedInRequest, userPage } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { invalid, isRookeryError } from '#kernel/errors.ts';
import type { Announcement } from '#mastodon/schemas/index.ts';
import { reactionButtons } from './reactions.ts';

const ANNOUNCEMENTS = '/announcements';

/** `/announcements`: what the staff tells all users, with reactions. The form adds a reaction. */
export const announcementsPage = userPage({
  path: ANNOUNCEMENTS,
  acts: true,
  show: async (request, tried) => {
    const { entity: found } = await request.api('GET v1/announcements');
    const view = viewOf(request);
    return {
      title: 'Announcements',
      hidden: true,
      body: html`${pageHead('Announcements')} ${noticeBox(request)}${problemBox(tried)}
      ${feed(
        found.map((each) => announcementItem(each, request, view)),
        { icon: 'bell', text: 'There are no announcements.' },
      )}`,
    };
  },
  submit: async ({ api }, { id = '', name = '' }) => {
    try {
      await api('PUT v1/announcements/:id/reactions/:name', { params: { id, name: name.trim() } });
    } catch (error) {
      // Text that no reaction can be is refused as an unknown address.
      if (isRookeryError(error) && error.code === 'not_found') throw invalid('A reaction is one emoji.');
      throw error;
    }
    return { redirect: `${ANNOUNCEMENTS}#a${id}` };
  },
});

function announcementItem(announcement: Announcement, request: SignedInRequest, view: View): Html {
  const { id, content, emojis, published_at, starts_at, ends_at, all_day, read } = announcement;
  const at = all_day ? day : moment;
  return html`<article
    class="announcement${read === false && ' unread'}"
    id="a${id}"
    aria-label="Announcement"
  >
    <p class="post-context">
      ${read === false && html`<span class="badge">New</span>`} ${ago(published_at, view.now)}
      ${starts_at !== null && html`<span>from ${at(starts_at)}</span>`}
      ${ends_at !== null && html`<span>until ${at(ends_at)}</span>`}
    </p>
    <div class="content" dir="auto">${withEmojis(content, emojis)}</div>
    <div class="buttons">
      ${reactionButtons(announcement)} ${addReaction(id, request)}
      ${
        read === false &&
        html`<button form="act" formaction="/web/v1/announcements/${id}/dismiss" class="plain small">
          ${icon('check')}Mark as read
        </button>`
      }
    </div>
  </article>`;
}

const addReaction = (id: string, request: SignedInRequest): Html =>
  menu(
    'Add a reaction',
    icon('plus'),
    form(
      request,
      html`<label for="emoji-${id}">Emoji</label>
        <input type="text" id="emoji-${id}" name="name" maxlength="100" autocomplete="off" required />
        <button class="small">Add</button>`,
      { action: ANNOUNCEMENTS, hidden: { id } },
    ),
  );
