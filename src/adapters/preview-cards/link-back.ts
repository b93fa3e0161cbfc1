import type { HttpClient, HttpResponse } from '#kernel/services/http-client.ts';
import { decode } from './fetch-card.ts';
import { findLink, headerLinks, type PageLink } from './page-links.ts';

const MAX_PAGE = 1_048_576;
/** The number of redirects that Mastodon follows. */
const MAX_REDIRECTS = 3;
/** Statuses that may differ another time. */
const PASSING = new Set([408, 425, 429]);
/** Failures that may not occur another time. */
const PASSING_FAILURES: readonly unknown[] = ['unreachable', 'timeout'];

/** `unknown`: the page could not be fetched, which may change. */
export type LinkBack = 'found' | 'absent' | 'unknown';

/**
 * Fetches a page, and looks for a link to a profile with `rel="me"`, in its HTML or its header `Link`:
 * https://microformats.org/wiki/rel-me @param profileUrl if it is https, every request must use https
 */
export async function findLinkBack(
  url: string,
  profileUrl: string,
  { http, signal }: { http: HttpClient; signal: AbortSignal },
): Promise<LinkBack> {
  let page: HttpResponse;
  let isOpen = false;
  try {
    page = await http.fetch(url, {
      headers: (step) => {
        isOpen ||= step.protocol !== 'https:';
        return { Accept: 'text/html,application/xhtml+xml' };
      },
      signal,
      maxBytes: MAX_PAGE,
      truncate: true,
      maxRedirects: MAX_REDIRECTS,
      accepts: (type) => /^(?:text\/html|application\/xhtml\+xml)/i.test(type.trim()),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return PASSING_FAILURES.includes((error as { code?: unknown }).code) ? 'unknown' : 'absent';
  }
  if (page.status >= 500 || PASSING.has(page.status)) return 'unknown';
  // A page that was fetched or redirected without TLS proves nothing.
  if (page.status !== 200 || (isOpen && profileUrl.startsWith('https:'))) return 'absent';
  return linksTo(page, profileUrl) ? 'found' : 'absent';
}

const linksTo = (page: HttpResponse, profileUrl: string): boolean =>
  inHeader(page.headers['link'] ?? '', profileUrl) || inPage(decode(page), profileUrl);

/** Returns true if a page has an `<a>` or `<link>` with `rel="me"` to this address. Never fails. */
export const inPage = (html: string, profileUrl: string): boolean =>
  findLink(html, isLinkTo(profileUrl)) !== undefined;

/** Returns true if the header `Link` has one. */
export const inHeader = (header: string, profileUrl: string): boolean =>
  headerLinks(header).some(isLinkTo(profileUrl));

const isLinkTo =
  (profileUrl: string) =>
  ({ kinds, href }: PageLink): boolean =>
    kinds.includes('me') && isSame(href, profileUrl);

/**
 * Compares whole addresses, in any spelling of their hosts; Mastodon compares names without regard to case.
 */
const isSame = (href: string, profileUrl: string): boolean =>
  URL.parse(href)?.href.toLowerCase() === profileUrl.toLowerCase();
