import { buttonLink } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { statusPath } from '#interfaces/web/entities/addresses.ts';
import { plainName } from '#interfaces/web/entities/byline.ts';
import { thread } from '#interfaces/web/entities/thread.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import { userPage, type WebRequest } from '#interfaces/web/page/page.ts';
import { hereOf, viewOf } from '#interfaces/web/page/request-view.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { namesPost } from '../names-post.ts';
import { shownStatus, titleOf } from './shown-status.ts';
import { translated, translationBar } from './translation.ts';

/** `/@:name/:id`: a post with its ancestors and replies. */
export const threadPage = userPage({
  path: '/@:name/:id',
  orPublic: true,
  owns: namesPost,
  show: async (request) => {
    const { id } = request.params;
    const [found, context] = await Promise.all([
      shownStatus(request),
      request.api('GET v1/statuses/:id/context', { params: { id } }),
    ]);
    if ('elsewhere' in found) return found.elsewhere;
    const { status } = found;
    const shown = await translated(request, status);
    const results = request.query.get('results') === '1';
    const posts = thread(shown.status, context.entity, viewOf(request), { results });
    if (request.wantsFragment) return { fragment: posts };
    return {
      title: titleOf(status, request),
      hidden: true,
      body: html`<h1 class="hush">Post by ${plainName(status.account)}</h1>
        ${noticeBox(request)} ${translationBar(status, shown)} ${posts} ${replyLink(status)}
        ${moreReplies(request, context.headers['Mastodon-Async-Refresh'])}`,
    };
  },
});

const replyLink = (status: Status): Html =>
  html`<p class="buttons">
    ${buttonLink(`/publish?in_reply_to_id=${status.id}`, `Reply to ${plainName(status.account)}`, { icon: 'reply' })}
    ${buttonLink(`${statusPath(status)}/actions`, 'More actions', { icon: 'ellipsis', look: 'plain' })}
  </p>`;

/** Says that the post's own server is being asked for replies, which a later look shows. */
const moreReplies = (request: WebRequest, refresh: string | undefined): Html | false =>
  refresh !== undefined &&
  html`<p class="note" data-refresh="${refresh}">
    <span
      >${icon('server')} The server of this post is being asked for more replies.
      <a href="${hereOf(request)}">Show those that have arrived</a></span
    >
  </p>`;
