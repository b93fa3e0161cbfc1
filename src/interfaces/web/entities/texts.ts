import { numberText } from '#kernel/quantities.ts';
import { escapeHtml } from '#mastodon/html.ts';
import type { CustomEmoji } from '#mastodon/schemas/index.ts';
import { replaceShortcodes } from '#mastodon/shortcodes.ts';
import { writtenLines } from '#mastodon/written-lines.ts';
import { type Html, html, trusted } from '../design/html.ts';

/** Returns HTML of an entity with its custom emojis as static pictures. */
export function withEmojis(markup: string, emojis: readonly CustomEmoji[]): Html {
  if (emojis.length === 0) return trusted(markup);
  const known = new Map(emojis.map((emoji) => [emoji.shortcode, emoji.static_url]));
  const picture = (shortcode: string): string | undefined => {
    const src = known.get(shortcode);
    return src && html`<img class="emoji" src="${src}" alt=":${shortcode}:" title=":${shortcode}:" />`.text;
  };
  // Every second part is a tag.
  const parts = markup.split(/(<[^<>]*>)/);
  return trusted(
    parts.map((part, index) => (index % 2 === 0 ? replaceShortcodes(part, picture) : part)).join(''),
  );
}

/** Returns a plain text with its custom emojis as pictures. */
export const textWithEmojis = (text: string, emojis: readonly CustomEmoji[]): Html =>
  withEmojis(escapeHtml(text), emojis);

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
/** By hand: a page has many times, and `Intl` takes long for each. */
const PARTS = /^(.+)-(\d\d)-(\d\d)T(\d\d:\d\d)/;
const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, month, 1)),
);
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Returns a time as text; the server does not know the reader's time zone. */
export const momentText = (time: string): string => {
  const utc = time.endsWith('Z') ? time : new Date(time).toISOString();
  const [, year = '', month = '', date = '', clock = ''] = PARTS.exec(utc) ?? [];
  return `${Number(date)} ${MONTHS[Number(month) - 1] ?? ''} ${year}, ${clock} UTC`;
};
export const moment = (time: string): Html => html`<time datetime="${time}">${momentText(time)}</time>`;
export const day = (time: string): Html =>
  html`<time datetime="${time.slice(0, 10)}">${DAY.format(new Date(time))}</time>`;

/** Units of relative times, with their seconds. */
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;
const WEEK = 7 * 86_400;

/** Renders how long ago something was, up to a week: `3h`. The whole time is its title. */
export function ago(time: string, now: string): Html {
  const seconds = (Date.parse(now) - Date.parse(time)) / 1_000;
  const unit = UNITS.find(([, length]) => seconds >= length);
  const text =
    seconds >= WEEK || seconds < -60
      ? DAY.format(new Date(time))
      : unit
        ? `${Math.floor(seconds / unit[1])}${unit[0]}`
        : 'now';
  return html`<time datetime="${time}" title="${momentText(time)}">${text}</time>`;
}

/** `1.2K`, `345`. */
export const compactNumber = (count: number): string => COMPACT.format(count);

/** `1 reply`, `2,000 replies`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : several}`;

/** Renders a plain text as its author wrote it. */
export const paragraphs = (text: string): Html =>
  html`${writtenLines(text).map((line) => html`<p dir="auto">${line}</p>`)}`;

/** Returns the `lang` attribute of a user's text; false for an unknown language. */
export const languageOf = (language: string | null): Html | false =>
  language !== null && html` lang="${language}"`;
