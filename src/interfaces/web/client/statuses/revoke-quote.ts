import { pageHead } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { statusPath } from '#interfaces/web/entities/addresses.ts';
import { statusItem } from '#interfaces/web/entities/status.ts';
import { quotedIn } from '#interfaces/web/entities/status-parts.ts';
import { button, form, problemBox } from '#interfaces/web/page/forms.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { notFound } from '#kernel/errors.ts';
import { namesPost } from '../names-post.ts';
import { shownStatus } from './shown-status.ts';

/** `/@:name/:id/revoke_quote`: takes the user's own post out of one that quotes it, for ever. */
export const revokeQuotePage = userPage({
  path: '/@:name/:id/revoke_quote',
  owns: namesPost,
  acts: true,
  show: async (request, tried) => {
    const found = await shownStatus(request, '/revoke_quote');
    if ('elsewhere' in found) return found.elsewhere;
    const { status } = found;
    if (quotedIn(status)?.account.id !== request.user.account_id) throw notFound();
    const title = 'Remove your post from this quote?';
    return {
      title,
      hidden: true,
      body: html`${pageHead(title)} ${problemBox(tried)}
        <p>The post below stays, but no longer shows yours. This cannot be undone.</p>
        ${form(
          request,
          html`<p class="buttons">
            ${button('Remove your post', 'danger')}
            <a class="button plain" href="${statusPath(status)}">Cancel</a>
          </p>`,
        )}
        <div class="feed">${statusItem(status, viewOf(request))}</div>`,
    };
  },
  submit: async (request) => {
    const found = await shownStatus(request, '/revoke_quote');
    if ('elsewhere' in found) return found.elsewhere;
    const { status } = found;
    const quoted = quotedIn(status);
    if (!quoted) throw notFound();
    await request.api('POST v1/statuses/:id/quotes/:quoting_status_id/revoke', {
      params: { id: quoted.id, quoting_status_id: status.id },
    });
    return { redirect: saying(statusPath(status), 'quote_removed') };
  },
});
