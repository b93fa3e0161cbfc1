import type { Instance } from '#kernel/context.ts';
import type { MediaAttachment } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { isOurs, webAddress } from './addresses.ts';

/** Renders the files of a post. */
export const mediaOf = (attachments: readonly MediaAttachment[], instance: Instance): Html | false =>
  attachments.length > 0 &&
  html`<div class="media${isGallery(attachments, instance) && ` gallery of-${attachments.length}`}">
    ${attachments.map((attachment) => mediumOf(attachment, instance))}
  </div>`;

/** Several pictures share a rectangle. */
const isGallery = (attachments: readonly MediaAttachment[], instance: Instance): boolean =>
  attachments.length > 1 && attachments.every(({ type, url }) => type === 'image' && isOurs(url, instance));

/** Renders the files in a closed box, for sensitive posts. */
export const veiledMediaOf = (attachments: readonly MediaAttachment[], instance: Instance): Html | false =>
  attachments.length > 0 &&
  html`<details class="veil">
    <summary>${icon('eye-off')}<span>Sensitive media</span></summary>
    ${mediaOf(attachments, instance)}
  </details>`;

const KINDS: Record<MediaAttachment['type'], string> = {
  image: 'Picture',
  gifv: 'Animation',
  video: 'Video',
  audio: 'Sound',
  unknown: 'File',
};

function mediumOf(attachment: MediaAttachment, instance: Instance): Html {
  const { url, type } = attachment;
  if (url === null && attachment.remote_url === null) {
    return html`<p class="quiet">${KINDS[type]}: still being processed</p>`;
  }
  if (type === 'unknown' || !isOurs(url, instance)) return linkTo(attachment);
  if (type === 'image') return picture(attachment, url);
  return type === 'audio' ? sound(attachment, url) : film(attachment, url, instance);
}

/** Returns the description for users who cannot see the file. */
const describe = ({ description, type }: MediaAttachment): string =>
  description?.trim() ? description : `${KINDS[type]} without a description`;

/** Renders a link to a file that browsers do not show. */
function linkTo(attachment: MediaAttachment): Html {
  const page = webAddress(attachment.remote_url) ?? webAddress(attachment.url);
  if (page === undefined) return html`<p class="quiet">${describe(attachment)}</p>`;
  return html`<p class="file">
    ${icon('external-link')}
    <span
      ><a href="${page}" rel="nofollow noopener noreferrer"
        >${KINDS[attachment.type]} at ${new URL(page).host}</a
      >
      <span dir="auto">${attachment.description}</span></span
    >
  </p>`;
}

function picture(attachment: MediaAttachment, url: string): Html {
  const { preview_url, meta, description } = attachment;
  return html`<figure>
    <a href="${url}"
      ><img src="${preview_url ?? url}" alt="${describe(attachment)}" loading="lazy" ${measures(meta?.small)}
    /></a>
    ${
      description?.trim() &&
      html`<details class="alt">
        <summary>ALT<span class="hush">: description of the picture</span></summary>
        <p dir="auto">${description}</p>
      </details>`
    }
  </figure>`;
}

function film(attachment: MediaAttachment, url: string, instance: Instance): Html {
  const { type, preview_url, meta } = attachment;
  const poster = isOurs(preview_url, instance) && html`poster="${preview_url}"`;
  return html`<figure>
    <video
      src="${url}"
      ${poster}
      ${measures(meta?.small)}
      aria-label="${describe(attachment)}"
      controls
      preload="none"
      playsinline
      ${type === 'gifv' && html`loop muted`}
    ></video>
    ${caption(attachment)}
  </figure>`;
}

const sound = (attachment: MediaAttachment, url: string): Html =>
  html`<figure>
    <audio src="${url}" aria-label="${describe(attachment)}" controls preload="none"></audio>
    ${caption(attachment)}
  </figure>`;

const caption = ({ description }: MediaAttachment): Html | undefined =>
  description?.trim() ? html`<figcaption dir="auto">${description}</figcaption>` : undefined;

type Measures = NonNullable<MediaAttachment['meta']>['small'];

/** Keeps the layout stable while the picture loads. */
const measures = (of: Measures): Html | undefined =>
  of?.width && of.height ? html`width="${of.width}" height="${of.height}"` : undefined;
