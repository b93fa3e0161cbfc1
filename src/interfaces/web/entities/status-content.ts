import type { Status } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { pageOfStatus } from './addresses.ts';
import { byline } from './byline.ts';
import { isBlurred } from './filtered.ts';
import { localLinks } from './local-links.ts';
import { mediaOf, veiledMediaOf } from './media.ts';
import { pollOf } from './poll.ts';
import { cardOf, quotedIn, quoteOf } from './status-parts.ts';
import { ago, counted, languageOf, momentText, textWithEmojis, withEmojis } from './texts.ts';
import type { View } from './view.ts';
import { visibilityMark } from './visibility.ts';

/** Further things that a reader asks for. */
export interface Shown {
  /** The results of the poll, before voting. */
  results?: boolean;
  /** The boost or quote that shows the post. */
  within?: string;
}

/** Renders all contents; below a content warning if there is one, which covers the media too. */
export function contentOf(status: Status, view: View, { results = false, within }: Shown = {}): Html {
  const { spoiler_text, sensitive, media_attachments, language, emojis, poll, card, quote } = status;
  const { instance } = view;
  const veiled = (sensitive && spoiler_text === '') || isBlurred(status, view);
  const quotes = quotedIn(status) !== null;
  const content = html`${status.content !== '' && html`<div class="content${quotes && ' quoting'}" dir="auto" ${languageOf(language)}>${withEmojis(localLinks(status, view), emojis)}</div>`}
  ${poll && pollOf(poll, view, { page: pageOfStatus(status, view), results, within })}
  ${veiled ? veiledMediaOf(media_attachments, instance) : mediaOf(media_attachments, instance)}
  ${quote && quoteOf(quote, (quoted) => quotedStatus(quoted, view, `${within ?? status.id}-quote`))}
  ${card && media_attachments.length === 0 && !quote && cardOf(card, instance)}`;
  if (spoiler_text === '') return content;
  return html`<details class="veil">
    <summary dir="auto" ${languageOf(language)}>
      ${icon('triangle-alert')}<span>${textWithEmojis(spoiler_text, emojis)}</span>
    </summary>
    ${content}
  </details>`;
}

/** Renders the author and the text of a post, as a reminder of what a page is about. */
export const statusExcerpt = (status: Status, view: View): Html =>
  html`<blockquote class="quote reminder">
    <header class="post-head">${byline(status.account, view)} ${whenOf(status, view)}</header>
    ${contentOf({ ...status, media_attachments: [], poll: null, card: null, quote: null }, view)}
    ${status.media_attachments.length > 0 && html`<p class="quiet">${icon('image')} ${counted(status.media_attachments.length, 'file')}</p>`}
    ${status.poll && html`<p class="quiet">${icon('chart-no-axes-column')} A poll</p>`}
  </blockquote>`;

/** Renders a quoted post without its own quote, which is a link. */
function quotedStatus(status: Status, view: View, within: string): Html {
  const page = pageOfStatus(status, view);
  return html`<header class="post-head">${byline(status.account, view)} ${whenOf(status, view)}</header>
    ${contentOf({ ...status, quote: null }, view, { within })}
    ${status.quote && page !== undefined && html`<p class="quiet"><a href="${page}">This post quotes another one</a></p>`}`;
}

/** Renders the time of posting, with a link to its page, and marks of an edit and of the visibility. */
export function whenOf(status: Status, view: View): Html {
  const { created_at, edited_at, visibility } = status;
  const page = pageOfStatus(status, view);
  const when = ago(created_at, view.now);
  return html`<span class="when"
    >${edited_at !== null && html`<span title="Edited ${momentText(edited_at)}">${icon('pencil')}<span class="hush">Edited</span></span>`}
    ${visibilityMark(visibility)}${page === undefined ? when : html`<a href="${page}">${when}</a>`}</span
  >`;
}
