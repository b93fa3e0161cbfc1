import { isDeepStrictEqual } from 'node:util';
import { backLink, pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { statusPath } from '#interfaces/web/entities/addresses.ts';
import { byline } from '#interfaces/web/entities/byline.ts';
import { mediaOf, veiledMediaOf } from '#interfaces/web/entities/media.ts';
import { moment } from '#interfaces/web/entities/texts.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import { openPage } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { plainText } from '#mastodon/html.ts';
import type { StatusEdit } from '#mastodon/schemas/index.ts';
import { namesPost } from '../names-post.ts';
import { postOfAddress } from './own-post.ts';
import { type Piece, wordDiff } from './word-diff.ts';

/** The newest versions that are shown. */
const MAX_VERSIONS = 50;

/** `/@alice/1/history`: the versions of a post, the newest first, each with what changed in it. */
export const historyPage = openPage({
  path: '/@:name/:id/history',
  owns: namesPost,
  show: async (request) => {
    const status = await postOfAddress(request);
    const params = { id: status.id };
    const { entity: versions } = await request.api('GET v1/statuses/:id/history', { params });
    const view = viewOf(request);
    const shown = versions
      .map((version, index) => versionItem(version, versions[index - 1], view))
      .slice(-MAX_VERSIONS)
      .reverse();
    const title = 'Edit history';
    return {
      title,
      hidden: true,
      body: html`${backLink(statusPath(status), 'Back to the post')} ${pageHead(title)}
        ${
          versions.length > shown.length &&
          html`<p class="quiet">The newest ${shown.length} of ${versions.length} versions.</p>`
        }
        <div class="feed versions">${shown}</div>`,
    };
  },
});

function versionItem(version: StatusEdit, before: StatusEdit | undefined, view: View): Html {
  const { account, created_at, sensitive, media_attachments: media, poll } = version;
  const changes = before ? changesBetween(before, version) : [];
  return html`<article aria-label="Version of ${created_at}">
    <header class="post-head">
      ${byline(account, view)}
      <span class="when">${before ? icon('pencil') : false}${moment(created_at)}</span>
    </header>
    <p class="quiet">
      ${before ? (changes.length === 0 ? 'Nothing visible changed' : `Changed: ${changes.join(', ')}`) : 'Original post'}
    </p>
    ${warningOf(version, before)}
    <div class="content" dir="auto">${piecesOf(before, version, ({ content }) => plainText(content))}</div>
    ${
      poll &&
      html`<ul dir="auto">
        ${poll.options.map(({ title }) => html`<li>${title}</li>`)}
      </ul>`
    }
    ${sensitive ? veiledMediaOf(media, view.instance) : mediaOf(media, view.instance)}
  </article>`;
}

const warningOf = (version: StatusEdit, before: StatusEdit | undefined): Html | false =>
  (version.spoiler_text !== '' || (before?.spoiler_text ?? '') !== '') &&
  html`<p dir="auto">
    ${icon('triangle-alert')} ${piecesOf(before, version, ({ spoiler_text }) => spoiler_text)}
  </p>`;

const piecesOf = (
  before: StatusEdit | undefined,
  after: StatusEdit,
  text: (version: StatusEdit) => string,
): Html[] | string => (before ? wordDiff(text(before), text(after)).map(pieceOf) : text(after));

const pieceOf = ({ kind, text }: Piece): Html =>
  kind === 'same' ? html`${text}` : kind === 'gone' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;

/** Names the parts that differ. */
function changesBetween(before: StatusEdit, after: StatusEdit): string[] {
  const differs = (part: (version: StatusEdit) => unknown): boolean =>
    !isDeepStrictEqual(part(before), part(after));
  const ids = ({ media_attachments }: StatusEdit): string[] => media_attachments.map(({ id }) => id);
  const descriptions = ({ media_attachments }: StatusEdit): unknown[] =>
    media_attachments.map(({ description, meta }) => [description, meta?.focus]);
  const parts: readonly (readonly [string, boolean])[] = [
    ['text', differs(({ content }) => content)],
    ['content warning', differs(({ spoiler_text }) => spoiler_text)],
    ['media', differs(ids)],
    ['description of media', !differs(ids) && differs(descriptions)],
    ['poll', differs(({ poll }) => poll)],
    ['sensitive', differs(({ sensitive }) => sensitive)],
  ];
  return parts.flatMap(([name, changed]) => (changed ? [name] : []));
}
