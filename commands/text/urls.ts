import { DIRECTIONAL, endOf, isResolvable, readDomain } from './domains.ts';

/** A link in a text: UTF-16 offsets and the address as written. */
export interface FoundUrl {
  start: number;
  end: number;
  url: string;
}

/** Longer addresses stay plain text, so that no link hides a book. UTF-16 units. */
const MAX_URL_LENGTH = 4096;
const SCHEME = /(?:(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini):\/\/|xmpp:|magnet:)/gi;
const WEB = /:\/\/$/;
const NOT_BEFORE = /[A-Za-z0-9@＠$#＃\uFEFF\uFFFE\uFFFF]/;
/** An address contains neither controls nor directional marks. Mastodon accepts them. */
const NOT_IN_URL = new RegExp(`[\\p{Cc}\\p{Cs}${DIRECTIONAL}]`, 'u');

/**
 * Finds the addresses that Mastodon links: those with a scheme of its list on a host with a known top-level
 * domain, `xmpp:` and `magnet:`. Takes time in proportion to the text.
 */
export function findUrls(text: string): FoundUrl[] {
  const found: FoundUrl[] = [];
  const schemes = new RegExp(SCHEME);
  let from = 0;
  for (let match = schemes.exec(text); match; match = schemes.exec(text)) {
    const start = match.index;
    const hidden = WEB.test(match[0]) ? endOfBareAddress(text, from, start) : -1;
    from = start;
    if (hidden > start) {
      from = schemes.lastIndex = hidden;
      continue;
    }
    if (start > 0 && NOT_BEFORE.test(text.charAt(start - 1))) continue;
    const end = endOfAddress(text, start, match[0]);
    if (end < 0) continue;
    const url = acceptable(text.slice(start, end));
    if (url !== undefined) found.push({ start, end: start + url.length, url });
    from = schemes.lastIndex = url === undefined ? end : start + url.length;
  }
  return found;
}

function endOfAddress(text: string, start: number, scheme: string): number {
  const position = start + scheme.length;
  switch (scheme.toLowerCase()) {
    case 'magnet:': {
      const end = endOfQuery(text, position);
      return end > position ? end : -1;
    }
    case 'xmpp:':
      return endOfXmpp(text, position);
    default: {
      const domain = readDomain(text, position);
      return domain.end < 0 || !isResolvable(text.slice(position, domain.end))
        ? -1
        : endAfterDomain(text, domain.end);
    }
  }
}

/** Returns the address without hidden characters; undefined for one that a program could not follow. */
function acceptable(address: string): string | undefined {
  const cut = address.search(NOT_IN_URL);
  const url = cut < 0 ? address : address.slice(0, cut);
  return url.length <= MAX_URL_LENGTH && URL.canParse(url) ? url : undefined;
}

const PORT = /:[0-9]+/y;
const GENERAL = /[^\p{White_Space}<>()?]+/uy;
const NOT_LAST = /[!*"'「」;:=,.$%[\]~&|]/;
/** Parentheses end an address only next to these. */
const PLAIN = new RegExp(
  "[\\u0300-\\u036Fa-z0-9\\p{Script=Cyrillic}!*';:=+,.$/%#[\\]\\p{Pd}_~&|@\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F" +
    '\\u0253\\u0254\\u0256\\u0257\\u0259\\u025B\\u0263\\u0268\\u026F\\u0272\\u0289\\u028B\\u02BB\\u1E00-\\u1EFF]+',
  'iuy',
);

function endAfterDomain(text: string, domainEnd: number): number {
  const port = endOf(PORT, text, domainEnd);
  const begin = port < 0 ? domainEnd : port;
  return endOfQuery(text, text[begin] === '/' ? endOfPath(text, begin + 1) : begin);
}

/** A namespace with a wildcard, as in `Special:*`. Asterisks around an address are emphasis. */
const WILDCARD = /[\p{L}\p{N}]:\*$/u;

/** Returns where a run ends without closing punctuation; a wildcard and a call (`f()`) are none. */
function endWithout(punctuation: RegExp, text: string, start: number, end: number): number {
  let last = end;
  while (last > start && punctuation.test(text.charAt(last - 1))) {
    const tail = text.slice(Math.max(start, last - 4), last);
    if ((last === end && WILDCARD.test(tail)) || CALL.test(tail)) break;
    last -= 1;
  }
  return last;
}
const CALL = /[\p{L}\p{N}_]\(\)$/u;

/**
 * A path continues over balanced parentheses, at most one pair within another, and does not end with
 * punctuation.
 */
function endOfPath(text: string, start: number): number {
  let end = start;
  let position = start;
  for (;;) {
    const run = endOf(GENERAL, text, position);
    if (run > 0) {
      const last = endWithout(NOT_LAST, text, position, run);
      if (last > position) end = last;
      position = run;
    }
    const group = text[position] === '(' ? endOfGroup(text, position, GENERAL) : -1;
    if (group < 0) return end;
    if (endOfGroup(text, position, PLAIN) === group) end = group;
    position = group;
  }
}

function endOfGroup(text: string, open: number, inside: RegExp): number {
  const after = (position: number): number => Math.max(endOf(inside, text, position), position);
  const first = after(open + 1);
  if (text[first] === ')') return first + 1;
  if (text[first] !== '(') return -1;
  const inner = after(first + 1);
  if (text[inner] !== ')' || inner === first + 1) return -1;
  const last = after(inner + 1);
  return text[last] === ')' ? last + 1 : -1;
}

/** Characters beyond ASCII that IRIs may have (RFC 3987), including private ones. */
const BEYOND_ASCII =
  '\\u{A0}-\\u{D7FF}\\u{E000}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}\\u{10000}-\\u{1FFFD}\\u{20000}-\\u{2FFFD}\\u{30000}-\\u{DFFFD}\\u{E1000}-\\u{EFFFD}\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}';
const QUERY = new RegExp(`\\?[a-z0-9!?*'();:&=+$/%#[\\]\\-_.,~|@^${BEYOND_ASCII}]*`, 'iuy');
const NOT_LAST_OF_QUERY = /[!?*'();:+$%[\].,~|@^]/;

function endOfQuery(text: string, start: number): number {
  const end = endWithout(NOT_LAST_OF_QUERY, text, start + 1, endOf(QUERY, text, start));
  return end > start + 1 ? end : start;
}

const UNRESERVED = 'a-z0-9\\p{Script=Cyrillic}\\p{Pd}._~';
const NODE = new RegExp(`(?:[${UNRESERVED}!$()*+,;=]|%[0-9a-f]{2})+@`, 'iuy');
const RESOURCE = new RegExp(`/(?:[${UNRESERVED}!$&'()*+,;=]|%[0-9a-f]{2})+`, 'iuy');

/**
 * `xmpp:` as in RFC 5122: an authority, a node, a host, a resource and a query, all but the host optional.
 */
function endOfXmpp(text: string, start: number): number {
  let position = start;
  if (text.startsWith('//', start)) {
    const node = endOf(NODE, text, start + 2);
    const authority = node < 0 ? -1 : readDomain(text, node).end;
    if (authority < 0 || text[authority] !== '/') return -1;
    position = authority + 1;
  }
  const node = endOf(NODE, text, position);
  const domain = readDomain(text, node < 0 ? position : node).end;
  if (domain < 0) return -1;
  const resource = endOf(RESOURCE, text, domain);
  return endOfQuery(text, resource < 0 ? domain : resource);
}

/**
 * Returns the end of an address without a scheme that begins at `from` or later and includes the scheme at
 * `scheme`, as in `example.com/https://example.org`; -1 for none. Such addresses are not linked, nor are
 * their parts.
 */
function endOfBareAddress(text: string, from: number, scheme: number): number {
  let wordStart = scheme;
  while (wordStart > from && !/\s/.test(text.charAt(wordStart - 1))) wordStart -= 1;
  const word = text.slice(wordStart, scheme);
  if (!word.includes('.') || !/[/?]/.test(word)) return -1;
  for (let position = wordStart; position < scheme;) {
    if (position > 0 && NOT_BEFORE.test(text.charAt(position - 1))) {
      position += 1;
      continue;
    }
    const { end, chainEnd } = readDomain(text, position);
    const whole = end < 0 ? -1 : endAfterDomain(text, end);
    if (whole > scheme) return whole;
    position = Math.max(whole, chainEnd, position) + 1;
  }
  return -1;
}
