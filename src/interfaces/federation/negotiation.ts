/** The content type of an ActivityPub document: https://www.w3.org/TR/activitypub/#retrieving-objects */
export const ACTIVITY_JSON = 'application/activity+json';
/** Returns the `Link` header that names the document of a page. */
export const documentLink = (uri: string): string => `<${uri}>; rel="alternate"; type="${ACTIVITY_JSON}"`;

const LD_JSON = 'application/ld+json';
const PROFILE = 'https://www.w3.org/ns/activitystreams';

/**
 * Returns true for the type of an ActivityPub document: `application/activity+json`, or `application/ld+json`
 * with the profile of ActivityStreams. Other types are not accepted, especially not those of uploads
 * (CVE-2024-23832).
 */
export function isActivityType(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  if (type.toLowerCase() === ACTIVITY_JSON) return true;
  if (type.toLowerCase() !== LD_JSON) return false;
  const profile = parameters.find((parameter) => /^profile\s*=/i.test(parameter));
  const names =
    profile
      ?.slice(profile.indexOf('=') + 1)
      .replace(/^\s*"|"\s*$/g, '')
      .split(/\s+/) ?? [];
  return names.includes(PROFILE);
}

/** Longer headers are ignored. */
const MAX_ACCEPT = 2_000;

/**
 * Returns true if an `Accept` header prefers the document to the page: it names one of the types, and HTML
 * not before it. Browsers name HTML; a client that accepts anything gets the page.
 */
export function wantsDocument(accept: string | undefined): boolean {
  const { document, page } = qualities(accept);
  return document > 0 && document >= page;
}

/** Returns true if an `Accept` header names RSS, and HTML not before it. */
export function wantsFeed(accept: string | undefined): boolean {
  const { feed, page } = qualities(accept);
  return feed > 0 && feed >= page;
}

/** Returns true if an `Accept` header names HTML, and no document before it. */
export function prefersPage(accept: string | undefined): boolean {
  const { document, page } = qualities(accept);
  return page > document;
}

interface Qualities {
  document: number;
  page: number;
  feed: number;
}

function qualities(accept: string | undefined): Qualities {
  if (accept === undefined || accept.length > MAX_ACCEPT) return { document: 0, page: 0, feed: 0 };
  let document = 0;
  let page = 0;
  let feed = 0;
  for (const [type, quality] of preferences(accept)) {
    if (type === ACTIVITY_JSON || type === LD_JSON || type === 'application/json') {
      document = Math.max(document, quality);
    } else if (type === 'text/html' || type === 'application/xhtml+xml') page = Math.max(page, quality);
    else if (type === 'application/rss+xml') feed = Math.max(feed, quality);
  }
  return { document, page, feed };
}

function preferences(accept: string): [type: string, quality: number][] {
  return accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const value = quality === undefined ? 1 : Number(quality.slice(2));
    return [type, Number.isFinite(value) ? value : 0];
  });
}
