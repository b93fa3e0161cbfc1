import { requestArchive } from '#commands/archives/index.ts';
import { STRIKES } from '#interfaces/oauth/sign-in.ts';
import { notFound } from '#kernel/errors.ts';
import { EXPORT_TYPES, EXPORTS, type ExportType } from '#mastodon/portability.ts';
import { exportCounts, exportFile } from '#queries/exports/index.ts';
import { html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { settingsPage } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { type SignedInRequest, userPage } from '../page/page.ts';
import { archiveBox } from './archive.ts';

export const EXPORT = '/settings/export';

export const TITLES: Record<ExportType, string> = {
  following: 'Accounts that you follow',
  followers: 'Accounts that follow you',
  blocks: 'Accounts that you block',
  mutes: 'Accounts that you mute',
  'domain-blocks': 'Servers that you block',
  lists: 'Lists',
  bookmarks: 'Bookmarks',
};

/**
 * `/settings/export`: Mastodon's exports. Suspended and disabled users get them too, because they own the
 * data.
 */
export const exportPage = userPage({
  path: EXPORT,
  allowsLockedOut: true,
  show: async (request, tried) => {
    const { ctx, user } = request;
    const counts = await exportCounts(ctx.db, user.account_id);
    const lines = EXPORT_TYPES.map(
      (type) =>
        html`<li>
          <a href="${EXPORT}/${EXPORTS[type]}"
            >${icon('download')}<span
              ><strong>${TITLES[type]} (${counts[type] ?? 0})</strong>
              <span class="quiet">${EXPORTS[type]}</span></span
            ></a
          >
        </li>`,
    );
    const files = html`<p>These files can be imported here, and on servers that run Mastodon.</p>
      <div class="topics files">
        <ul>
          ${lines}
        </ul>
      </div>`;
    const back = request.lockedOut && html`<p><a href="${STRIKES}">All strikes</a></p>`;
    return settingsPage(request, 'Export', [files, await archiveBox(request), back], tried);
  },
  submit: async ({ ctx, user }) => {
    // It includes everything posted before.
    await requestArchive(ctx, user.account_id);
    return { redirect: saying(EXPORT, 'archive') };
  },
});

/** `/settings/export/following_accounts.csv` and the other files of the signed-in user. */
export const exportFilePage = userPage({
  path: `${EXPORT}/:file`,
  allowsLockedOut: true,
  show: async ({ ctx, user, params }) => {
    const type = EXPORT_TYPES.find((each) => EXPORTS[each] === params.file);
    if (type === undefined) throw notFound();
    return { file: EXPORTS[type], type: 'text/csv; charset=utf-8', content: textOf(ctx, user, type) };
  },
});

async function* textOf(
  ctx: SignedInRequest['ctx'],
  user: SignedInRequest['user'],
  type: ExportType,
): AsyncGenerator<string> {
  for await (const { text } of exportFile(ctx, user.account_id, type)) yield text;
}
