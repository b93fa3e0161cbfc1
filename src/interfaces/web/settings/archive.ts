import { notFound } from '#kernel/errors.ts';
import { sizeText } from '#kernel/quantities.ts';
import type { Archive } from '#kernel/services/archives.ts';
import { readableMinute } from '#kernel/time.ts';
import { archiveName } from '#mastodon/portability.ts';
import { type Html, html } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import { type SignedInRequest, userPage } from '../page/page.ts';

const DOWNLOAD = '/settings/export/archive';

/**
 * Returns the box about the user's archive: its progress, and the button that requests another one when that
 * is allowed.
 */
export async function archiveBox(request: SignedInRequest): Promise<Html> {
  const archive = await request.ctx.services.archives.of(request.user.account_id);
  const isTime = !archive || (archive.state !== 'being_made' && archive.next_at <= request.ctx.now);
  return html`<h2>Archive</h2>
    <p>
      One file with all your posts, your files, your profile, what you like and what you have bookmarked, in
      the form of ActivityPub. You can request one every seven days, and it is kept for seven days. A mail
      tells you when it is ready.
    </p>
    ${archive && stateOf(archive, request.ctx.now)} ${isTime && form(request, button('Request your archive'))}`;
}

function stateOf({ state, finished_at, expires_at, next_at, size, missing }: Archive, now: string): Html {
  if (state === 'being_made') return html`<p>Your archive is being made.</p>`;
  if (state === 'failed') return html`<p>Your archive could not be made. Please try again.</p>`;
  return html`<p>
      <a href="${DOWNLOAD}">Download your archive</a> (${sizeText(size ?? 0)})<br />
      <span class="quiet">
        Made on ${readableMinute(finished_at ?? '')}, kept until ${readableMinute(expires_at ?? '')}.
        ${missing !== null && missing > 0 && html`${missing} of your files could not be found.`}
      </span>
    </p>
    ${next_at > now && html`<p>You can request the next one from ${readableMinute(next_at)} on.</p>`}`;
}

/** `/settings/export/archive`: the signed-in user's archive, while it exists. */
export const archivePage = userPage({
  path: DOWNLOAD,
  allowsLockedOut: true,
  show: async ({ ctx, user }) => {
    const opened = await ctx.services.archives.open(user.account_id);
    if (!opened) throw notFound();
    const { archive, stream, size } = opened;
    return {
      file: archiveName(new Date(archive.finished_at ?? ctx.now), archive.id),
      type: 'application/gzip',
      content: stream,
      whole: { tag: `archive-${archive.id}`, size },
      headers: { 'Cache-Control': 'private, no-store' },
    };
  },
});
