import { checkField } from '#interfaces/web/design/choice-fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { isOurs } from '#interfaces/web/entities/addresses.ts';
import type { WebRequest } from '#interfaces/web/page/page.ts';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';
import type { MediaAttachment } from '#mastodon/schemas/index.ts';
import type { Desk } from './desk.ts';
import type { TypedTexts } from './draft.ts';
import { CELLS, focusPoint, nearestCell } from './focus.ts';
import { problemsAt } from './problem-notes.ts';

const { perStatus, description: MAX_DESCRIPTION, imageBytes, videoBytes } = MEDIA_LIMITS;
const megabytes = (bytes: number): number => bytes / 1024 / 1024;

/** Renders the files of a draft with their texts, and the way to add more. */
export function mediaFields(request: WebRequest, desk: Desk): Html {
  const { media, sensitive, texts } = desk.draft;
  const room = perStatus - media.length;
  const wrong = desk.problems.some(({ place }) => place === 'media');
  if (media.length === 0) {
    return html`${sensitive !== undefined && html`<input type="hidden" name="sensitive" value="${String(sensitive)}" />`}
    ${chooser(desk, room, wrong)}`;
  }
  const items = media.map((id, index) =>
    attachedField(request, { id, index, attachment: desk.attached.get(id), typed: texts[id] }),
  );
  return html`<fieldset class="part">
    <legend>Media</legend>
    <ol class="attached">
      ${items}
    </ol>
    ${room > 0 ? chooser(desk, room, wrong) : problemsAt(desk, 'media')}
    <input type="hidden" name="sensitive" value="false" />
    ${checkField({ name: 'sensitive', label: 'Mark media as sensitive', checked: sensitive === true })}
  </fieldset>`;
}

const chooser = (desk: Desk, room: number, wrong: boolean): Html =>
  html`<label for="media"
      >${room === perStatus ? 'Pictures, video or audio' : 'More pictures, video or audio'}</label
    >
    ${problemsAt(desk, 'media')}
    <div class="choose">
      <input
        type="file"
        id="media"
        name="media[]"
        accept="image/*,video/*,audio/*"
        aria-describedby="media-hint${wrong && ' media-problem'}"
        data-media-input
        data-media-max="${room}"
        ${room > 1 && html`multiple`}
        ${wrong && html`aria-invalid="true"`}
      />
      <button class="small plain" name="do" value="upload">${icon('image')}Add media</button>
    </div>
    <p class="quiet" id="media-hint">
      ${room === 1 ? 'One file' : `Up to ${room} files`}: pictures up to ${megabytes(imageBytes)} MB, video
      and audio up to ${megabytes(videoBytes)} MB.
    </p>`;

interface AttachedItem {
  id: string;
  index: number;
  attachment: MediaAttachment | undefined;
  typed: TypedTexts | undefined;
}

function attachedField(request: WebRequest, { id, index, attachment, typed }: AttachedItem): Html {
  const name = `File ${index + 1}`;
  const description = typed?.description ?? attachment?.description ?? '';
  const pictured = attachment?.type === 'image' || attachment?.type === 'gifv';
  return html`<li data-media="${id}">
    <input type="hidden" name="media_ids[]" value="${id}" />
    ${thumbnail(request, attachment, name)}
    <div>
      <label for="description_${id}">Description of ${name.toLowerCase()}</label>
      <textarea
        id="description_${id}"
        name="description_${id}"
        rows="2"
        maxlength="${MAX_DESCRIPTION}"
        dir="auto"
        placeholder="Describe it for people who cannot see or hear it"
      >
${description}</textarea>
      ${pictured && focusField(request, attachment, typed?.focus)}
      <div class="buttons">
        ${
          index > 0 &&
          html`<button class="small plain" name="do" value="up-${id}">
            <span>Move up<span class="hush"> ${name.toLowerCase()}</span></span>
          </button>`
        }
        <button class="small plain" name="do" value="remove-${id}">
          ${icon('trash-2')}<span>Remove<span class="hush"> ${name.toLowerCase()}</span></span>
        </button>
      </div>
    </div>
  </li>`;
}

/** A stranger, whose session has ended, is told that it is there. */
function thumbnail({ ctx }: WebRequest, attachment: MediaAttachment | undefined, name: string): Html {
  const src = attachment?.preview_url ?? null;
  if (isOurs(src, ctx.instance)) return html`<img src="${src}" alt="${name}" />`;
  const state = attachment && attachment.url === null ? 'is still being processed' : 'is kept';
  return html`<p class="thumb quiet">${icon('image')}${name} ${state}</p>`;
}

/** The point that stays visible where the picture is cropped: one of nine, chosen on the picture. */
function focusField({ ctx }: WebRequest, { id, meta, preview_url }: MediaAttachment, typed = ''): Html {
  const chosen = focusPoint(typed) ?? nearestCell(meta?.focus);
  return html`<details class="fold">
    <summary>Edit focal point${icon('chevron-down')}</summary>
    <fieldset>
      <legend class="quiet">The part that stays visible in previews</legend>
      <div class="focus">
        ${isOurs(preview_url, ctx.instance) && html`<img src="${preview_url}" alt="" />`}
        ${CELLS.map(
          ({ value, name, x, y }) =>
            html`<label
              ><input
                type="radio"
                name="focus_${id}"
                value="${value}"
                ${chosen?.x === x && chosen.y === y && html`checked`}
              /><span class="hush">${name}</span></label
            >`,
        )}
      </div>
    </fieldset>
  </details>`;
}
