import { Parser } from 'htmlparser2';
import type { StatusContent } from '#events/statuses.ts';
import { mayLink } from '#mastodon/html.ts';

/** Links to accounts, hashtags and the quoted post. */
const NO_LINK = /(?:^|\s)(?:mention|hashtag|u-url)(?:\s|$)/;

/** Returns the page whose card a post shows: the one that its author chose, or the first link in its text. */
export const pageOfCard = (
  { content, linked_page = '' }: Pick<StatusContent, 'content' | 'linked_page'>,
  origin: string,
): string | undefined => otherSite(linked_page, origin) ?? firstLink(content, origin);

/**
 * Returns the first link of a post that leads to another site. Links in the fallback for a quote do not
 * count. @param html the content of a status @param origin of this server
 */
export function firstLink(html: string, origin: string): string | undefined {
  if (!mayLink(html)) return undefined;
  let found: string | undefined;
  let quoteDepth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      const begins = name === 'p' && attributes['class']?.includes('quote-inline') === true;
      if (begins || quoteDepth > 0) quoteDepth += 1;
      else if (name === 'a') found ??= pageOf(attributes, origin);
    },
    onclosetag() {
      if (quoteDepth > 0) quoteDepth -= 1;
    },
  });
  parser.end(html);
  return found;
}

function pageOf(
  { class: classes = '', rel = '', href = '' }: Record<string, string>,
  origin: string,
): string | undefined {
  if (NO_LINK.test(classes) || /\btag\b/.test(rel)) return undefined;
  return otherSite(href, origin);
}

function otherSite(href: string, origin: string): string | undefined {
  const url = URL.parse(href);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.origin === origin) return undefined;
  return url.href.length <= MAX_URL ? url.href : undefined;
}

const MAX_URL = 2_048;
