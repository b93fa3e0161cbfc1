import { backLink, pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { statusPath, webAddress } from '#interfaces/web/entities/addresses.ts';
import { statusExcerpt } from '#interfaces/web/entities/status-content.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import { userPage, type WebRequest } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { namesPost } from '../names-post.ts';
import { choiceLists, choicesFor } from './choices.ts';
import { shownStatus } from './shown-status.ts';
import { mayTranslate } from './translation.ts';

/** `/@:name/:id/actions`: everything that the user can do with a post. */
export const actionsPage = userPage({
  path: '/@:name/:id/actions',
  owns: namesPost,
  show: async (request) => {
    const found = await shownStatus(request, '/actions');
    if ('elsewhere' in found) return found.elsewhere;
    const { status } = found;
    const view = viewOf(request);
    const translates = await mayTranslate(request, status);
    const choices = choiceLists(choicesFor(status, view, { translates }));
    if (request.wantsFragment) return { fragment: choices };
    return {
      title: 'More about a post',
      hidden: true,
      body: html`${backLink(statusPath(status), 'Back to the post')} ${pageHead('More about this post')}
        ${noticeBox(request)} ${statusExcerpt(status, view)}
        <section class="box" aria-label="What you can do">${choices}</section>
        ${await sharing(request, status)}`,
    };
  },
});

/** Renders the address to copy, and for a public post of this server the code that shows it elsewhere. */
async function sharing(request: WebRequest, status: Status): Promise<Html | false> {
  const { visibility, account, url, uri } = status;
  const address = webAddress(url) ?? webAddress(uri);
  if (address === undefined) return false;
  const embeds = !account.acct.includes('@') && (visibility === 'public' || visibility === 'unlisted');
  const code = embeds
    ? (await request.api('GET oembed', { query: { url: address } })).entity.html
    : undefined;
  return html`<section class="box" aria-labelledby="sharing">
    <h2 id="sharing">${icon('share')} Share</h2>
    <label for="address">Address of the post</label>
    <p class="copy"><input type="text" id="address" value="${address}" readonly dir="ltr" data-copy /></p>
    ${
      code !== undefined &&
      html`<details>
        <summary>Embed on a website</summary>
        <label for="code">Code</label>
        <p class="copy"><textarea id="code" rows="5" readonly dir="ltr" data-copy>${code}</textarea></p>
      </details>`
    }
  </section>`;
}
