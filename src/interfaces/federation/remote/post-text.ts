import { escapeHtml, plainText } from '#mastodon/html.ts';
import { languageCode } from '#mastodon/language.ts';
import { htmlOf } from './actor.ts';
import { eventLines } from './event-lines.ts';
import { type Foreign, isObject, languageText, listOf, naturalText, typesOf, webAddress } from './json.ts';
import { plainLine } from './plain-line.ts';

/** Sanitizing takes time, and makes HTML up to six times longer: the result must fit the event. */
const MAX_HTML = 80_000;
const MAX_TITLE = 500;
const MAX_QUESTION = 5_000;
/** Attached links that the text shows, and attachments that are searched for them. */
const MAX_LINKS = 4;
const MAX_ATTACHED = 100;

/**
 * Returns the text of a note or a question as HTML; empty for none. `isShown`: it has a file or a quote, so it needs no other text. The
 * name of a question, and of a note without anything else, is its text.
 */
export function writtenText(document: Foreign, { isShown }: { isShown: boolean }): string {
  const content = htmlOf(naturalText(document, 'content', MAX_HTML));
  const isEmpty = plainText(content) === '';
  const mayBeNamed = !isShown || typesOf(document).includes('Question');
  const text = isEmpty && mayBeNamed ? paragraph(naturalText(document, 'name', MAX_QUESTION)) : content;
  // An attached link is the preview of a link in the text, where there is one.
  const links = LINK.test(text) ? [] : linksOf(document);
  if (plainText(text) === '' && links.length === 0) return '';
  return links.length === 0 ? text : htmlOf(`${text}${links.join('')}`);
}

/** A link that is no mention and no hashtag. */
const LINK = /<a (?![^>]*class="[^"]*(?:mention|hashtag|u-url))(?![^>]*rel="tag )/;

/** Returns the text of another object as HTML: its title, what an event says about time and place, and links. */
export function convertedText(document: Foreign, url: string): string {
  const title =
    naturalText(document, 'name', MAX_TITLE) || plainText(naturalText(document, 'content', MAX_TITLE));
  const lines = typesOf(document).includes('Event') ? eventLines(document).map(paragraph) : [];
  const others = linksOf(document).filter((link) => link !== linkTo(url));
  return htmlOf([`<p>${escapeHtml(title)}</p>`, ...lines, linkTo(url), ...others].join(''));
}

const paragraph = (text: string): string => {
  const line = plainLine(text);
  return line === '' ? '' : `<p>${escapeHtml(line)}</p>`;
};

const linkTo = (url: string): string => `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`;

/** Returns the attached links, which show their address, because their name may claim anything. */
const linksOf = (document: Foreign): string[] => [
  ...new Set(
    listOf(document['attachment'], MAX_ATTACHED)
      .filter((entry) => isObject(entry))
      .filter((entry) => typesOf(entry).includes('Link'))
      .flatMap((entry) => webAddress(entry) ?? [])
      .slice(0, MAX_LINKS)
      .map(linkTo),
  ),
];

/** Properties that may name the language, the most telling one first. */
const NAMING = ['content', 'name', 'summary'];

/** Returns the language that a post names for its text; null for none or an unknown one. */
export function languageOf(document: Foreign): string | null {
  const named = NAMING.map((name) => languageText(document, name, MAX_HTML).language);
  return languageCode(named.find((tag) => tag !== undefined));
}
