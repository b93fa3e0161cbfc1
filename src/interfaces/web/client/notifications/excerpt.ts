import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { statusPath } from '#interfaces/web/entities/addresses.ts';
import { filterOf } from '#interfaces/web/entities/filtered.ts';
import { counted, languageOf, textWithEmojis } from '#interfaces/web/entities/texts.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import { plainText } from '#mastodon/html.ts';
import type { Status } from '#mastodon/schemas/index.ts';

/** UTF-16 units; the style cuts to some lines. */
const LONGEST = 300;

/** Renders the beginning of a post as a link to it; less where a warning or a filter covers it. */
export function excerptOf(status: Status, view: Pick<View, 'user' | 'filters'> = {}): Html {
  const { language, emojis } = status;
  return html`<a class="excerpt" href="${statusPath(status)}" dir="auto" ${languageOf(language)}
    >${textWithEmojis(textOf(status, view), emojis)}${mediaNote(status)}</a
  >`;
}

function textOf(status: Status, view: Pick<View, 'user' | 'filters'>): string {
  const filter = filterOf(status, view);
  if (filter && filter.filter_action !== 'blur') return `Filtered: ${filter.title}`;
  const text = status.spoiler_text === '' ? plainText(status.content) : status.spoiler_text;
  if (text.length <= LONGEST) return text;
  // Does not cut a character into halves.
  return `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…`;
}

const mediaNote = ({ media_attachments: files, poll }: Status): Html | false =>
  (files.length > 0 || poll !== null) &&
  html` <span class="badge"
    >${poll ? html`${icon('chart-no-axes-column')}Poll` : html`${icon('image')}${counted(files.length, 'file')}`}</span
  >`;
