import { searchableText } from '../../src/events/status-body.ts';
import type { StatusData } from '../../src/events/statuses.ts';
import { wordsOf } from '../../src/kernel/search-text.ts';

/** Links that lead to people, hashtags and the quoted post. */
const NO_LINK = /\b(?:mention|hashtag|u-url)\b|\brel="[^"]*\btag\b/;
const QUOTE_FALLBACK = /<p[^>]*\bquote-inline\b.*?<\/p>/gs;

/**
 * What a post is found by, as the text of a tsvector: what it is, beginning with a sign, so that no word begins like it
 * (`@by=<account>`, `@has=image`, `@is=reply`, `@language=en`), then the words of all that it says, in order. There is a
 * space before and behind each.
 */
export const searchWordsOf = (data: StatusData): string =>
  ` ${[...propertiesOf(data), ...wordsOf(searchableText(data))].join(' ')} `;

function propertiesOf(data: StatusData): string[] {
  const { media, poll, language } = data;
  const kinds = new Set(media.map(({ type }) => (type === 'gifv' ? 'video' : type)));
  return [
    `@by=${data.account_id}`,
    ...(data.in_reply_to_id === null ? [] : ['@is=reply']),
    ...(data.sensitive ? ['@is=sensitive'] : []),
    ...(media.length === 0 ? [] : ['@has=media']),
    ...[...kinds].map((kind) => `@has=${kind}`),
    ...(poll ? ['@has=poll'] : []),
    ...(hasLink(data.content) ? ['@has=link'] : []),
    ...codesOf(language).map((code) => `@language=${code}`),
  ];
}

/** `pt-BR` is found as `pt` too. */
function codesOf(language: string | null): string[] {
  const [code = '', ...rest] = (language ?? '').toLowerCase().match(/[a-z0-9]+/g) ?? [];
  if (code === '') return [];
  return rest.length === 0 ? [code] : [code, [code, ...rest].join('-')];
}

/** Whether a content leads to some page, besides that of the quoted post. */
function hasLink(content: string): boolean {
  // Most posts have none.
  if (!content.includes('<a')) return false;
  const links = content.replace(QUOTE_FALLBACK, '').matchAll(/<a\b[^>]*>/g);
  return links.some(([link]) => !NO_LINK.test(link));
}
