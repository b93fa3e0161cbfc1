import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { mediaOf } from '#interfaces/web/entities/media.ts';
import { languageOf, moment } from '#interfaces/web/entities/texts.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import { AUDIENCES } from '#interfaces/web/entities/visibility.ts';
import type { ScheduledStatus } from '#mastodon/schemas/index.ts';

/** Renders a post that waits for its time. */
export function scheduledItem(
  { scheduled_at, params, media_attachments }: ScheduledStatus,
  { instance }: View,
  { actions }: { actions?: Part } = {},
): Html {
  const { text, spoiler_text, visibility, poll, language, in_reply_to_id } = params;
  const audience = AUDIENCES[visibility];
  return html`<article class="scheduled">
    <p class="post-context">
      ${icon('clock')} ${moment(scheduled_at)} · ${icon(audience.icon)} ${audience.name}
      ${in_reply_to_id !== null && html` · ${icon('reply')} Reply`}
    </p>
    ${spoiler_text && html`<p dir="auto" ${languageOf(language)}><strong>${spoiler_text}</strong></p>`}
    ${text !== '' && html`<div class="content plain" dir="auto" ${languageOf(language)}>${text}</div>`}
    ${
      poll &&
      html`<ul dir="auto">
        ${poll.options.map((option) => html`<li>${option}</li>`)}
      </ul>`
    }
    ${mediaOf(media_attachments, instance)} ${actions && html`<div class="buttons">${actions}</div>`}
  </article>`;
}
