import { searchableText } from '#events/status-body.ts';
import type { StatusData } from '#events/statuses.ts';
import { mayLink } from '#mastodon/html.ts';
import { signOf, wordsOf } from '#mastodon/search-text.ts';

/** Links to accounts, hashtags and the quoted post. */
const NO_LINK = /\b(?:mention|hashtag|u-url)\b|\brel="[^"]*\btag\b/;
const QUOTE_FALLBACK = /<p[^>]*\bquote-inline\b.*?<\/p>/gs;

/** The sign of a reply. */
export const IS_REPLY = signOf('is', 'reply');

/**
 * Returns the search text of a post as the text of a tsvector: properties (its account, has an image, is a
 * reply, its language), then the words of its texts, in order. A space precedes and follows each.
 */
export const searchWordsOf = (data: StatusData): string =>
  ` ${propertiesOf(data)
    .concat(wordsOf(searchableText(data)))
    .join(' ')} `;

function propertiesOf(data: StatusData): string[] {
  const { media, poll, language } = data;
  const properties = [signOf('by', data.account_id)];
  if (data.in_reply_to_id !== null) properties.push(IS_REPLY);
  if (data.sensitive) properties.push(signOf('is', 'sensitive'));
  if (media.length > 0) {
    const kinds = new Set(media.map(({ type }) => (type === 'gifv' ? 'video' : type)));
    properties.push(signOf('has', 'media'), ...[...kinds].map((kind) => signOf('has', kind)));
  }
  if (poll) properties.push(signOf('has', 'poll'));
  if (hasLink(data.content)) properties.push(signOf('has', 'link'));
  for (const code of codesOf(language)) properties.push(signOf('language', code));
  return properties;
}

/** `pt-BR` is found as `pt` too. */
function codesOf(language: string | null): string[] {
  const [code = '', ...rest] = (language ?? '').toLowerCase().match(/[a-z0-9]+/g) ?? [];
  if (code === '') return [];
  return rest.length === 0 ? [code] : [code, [code, ...rest].join('-')];
}

/** Returns true if a content links to a page, besides that of the quoted post. */
function hasLink(content: string): boolean {
  if (!mayLink(content)) return false;
  const links = content.replace(QUOTE_FALLBACK, '').matchAll(/<a\b[^>]*>/g);
  return links.some(([link]) => !NO_LINK.test(link));
}
