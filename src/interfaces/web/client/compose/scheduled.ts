import { buttonLink, feed, pageHead } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { button, form, problemBox } from '#interfaces/web/page/forms.ts';
import { noticeBox, saying } from '#interfaces/web/page/notices.ts';
import { type SignedInRequest, type Tried, userPage, type WebResponse } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { invalid } from '#kernel/errors.ts';
import type { ScheduledStatus } from '#mastodon/schemas/index.ts';
import { timeFields } from './choices.ts';
import { UTC } from './draft.ts';
import { checkedMoment, fieldTime } from './schedule.ts';
import { scheduledItem } from './scheduled-item.ts';

const SCHEDULED = '/scheduled';

/** `/scheduled`: the posts that wait for their time. */
export const scheduledPage = userPage({
  path: SCHEDULED,
  show: async (request) => {
    const query = placeIn(request.query);
    const { entity, next } = await request.api('GET v1/scheduled_statuses', { query });
    const view = viewOf(request);
    const posts = entity.map((each) =>
      scheduledItem(each, view, {
        actions: html`${buttonLink(`${SCHEDULED}/${each.id}`, 'Change time', { icon: 'clock', look: 'plain small' })}
        ${buttonLink(`${SCHEDULED}/${each.id}/cancel`, 'Cancel', { icon: 'trash-2', look: 'danger small' })}`,
      }),
    );
    return {
      title: 'Scheduled posts',
      hidden: true,
      body: html`${pageHead('Scheduled posts', buttonLink('/publish', 'New post', { icon: 'pencil', look: 'small' }))}
      ${noticeBox(request)}
      ${feed(posts, { icon: 'calendar', text: 'No post is scheduled. Choose a time under Schedule when you write one.' })}
      ${olderLink(request, entity.length === 0 ? undefined : next)}`,
    };
  },
});

/** `/scheduled/1`: changes the time of a post. */
export const reschedulePage = userPage({
  path: `${SCHEDULED}/:id`,
  acts: true,
  show: async (request, tried) => {
    const post = await scheduledPost(request);
    const { scheduled_at: scheduledAt = fieldTime(post.scheduled_at), zone = UTC } = tried?.fields ?? {};
    const fields = html`${timeFields({ scheduledAt, zone }, request.ctx.now)} ${button('Change time')}`;
    return onePost(request, 'Change time', { post, content: form(request, fields), tried });
  },
  submit: async (request, { scheduled_at: scheduledAt = '', zone = UTC }) => {
    const checked = checkedMoment({ scheduledAt, zone }, request.ctx.now);
    if ('problem' in checked) throw invalid(checked.problem.text);
    const { id } = request.params;
    await request.api('PUT v1/scheduled_statuses/:id', {
      params: { id },
      body: { scheduled_at: checked.moment },
    });
    return { redirect: saying(SCHEDULED, 'post_moved') };
  },
});

/** `/scheduled/1/cancel`: asks before it cancels a post. */
export const cancelPage = userPage({
  path: `${SCHEDULED}/:id/cancel`,
  show: async (request, tried) => {
    const post = await scheduledPost(request);
    const content = form(
      request,
      html`<p>The post will not be published, and its text is lost.</p>
        <div class="buttons">
          ${button('Cancel this post', 'danger')} ${buttonLink(SCHEDULED, 'Keep it', { look: 'plain' })}
        </div>`,
    );
    return onePost(request, 'Cancel scheduled post?', { post, content, tried });
  },
  submit: async (request) => {
    const { id } = request.params;
    await request.api('DELETE v1/scheduled_statuses/:id', { params: { id } });
    return { redirect: saying(SCHEDULED, 'post_cancelled') };
  },
});

/** @throws RookeryError `not_found` */
async function scheduledPost({
  api,
  params: { id },
}: SignedInRequest<{ id: string }>): Promise<ScheduledStatus> {
  return (await api('GET v1/scheduled_statuses/:id', { params: { id } })).entity;
}

interface OnePost {
  post: ScheduledStatus;
  content: ReturnType<typeof form>;
  tried: Tried | undefined;
}

const onePost = (
  request: SignedInRequest,
  title: string,
  { post, content, tried }: OnePost,
): WebResponse => ({
  title,
  hidden: true,
  body: html`${pageHead(title)} ${problemBox(tried)}
    <div class="feed">${scheduledItem(post, viewOf(request))}</div>
    <section class="box compose">${content}</section>`,
});
