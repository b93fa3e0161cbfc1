import { domainToASCII } from 'node:url';
import tlds from 'tlds' with { type: 'json' };

/** Directional marks, which could make an address look like another one. */
export const DIRECTIONAL = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';

/** A letter of a host name: everything but ASCII punctuation, white space, controls and directional marks. */
const LETTER = `[^\\x00-\\x20\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7F\\p{White_Space}\\u180E\\uFEFF\\uFFFE\\uFFFF${DIRECTIONAL}]`;
const LABEL = new RegExp(`(?:${LETTER}|[-_])+`, 'uy');
const STARTS = new RegExp(LETTER, 'uy');

const known = new Set<string>([...tlds, 'onion']);
const knownBeyondAscii = tlds.filter((tld) => /[^\x00-\x7F]/.test(tld));
const ASCII_TLD = /[a-z]+/iy;
const PUNYCODE = /xn--[0-9a-z]+/iy;
/** None of these may follow a top-level domain. */
const GOES_ON = /[0-9a-z@+-]/i;

/** Returns the end of the sticky expression's match at `position`, or -1. */
export function endOf(sticky: RegExp, text: string, position: number): number {
  sticky.lastIndex = position;
  return sticky.test(text) ? sticky.lastIndex : -1;
}

/**
 * Finds the host name at `start`, as Mastodon does: labels and a top-level domain of IANA's list, `.onion` or
 * Punycode. The longest match wins, because in languages without spaces the sentence continues right after
 * it. Underscores may occur in subdomains only.
 */
export function readDomain(text: string, start: number): { end: number; chainEnd: number } {
  let found = -1;
  let position = start;
  for (;;) {
    const end = endOf(STARTS, text, position) < 0 ? -1 : endOf(LABEL, text, position);
    if (end < 0 || text[end] !== '.' || /[-_]/.test(text.charAt(end - 1))) {
      return { end: found, chainEnd: Math.max(end, position) };
    }
    if (!text.slice(position, end).includes('_')) {
      const tldEnd = readTld(text, end + 1);
      if (tldEnd > 0) found = tldEnd;
    }
    position = end + 1;
  }
}

function readTld(text: string, start: number): number {
  const punycode = endOf(PUNYCODE, text, start);
  if (punycode > 0) return punycode;
  const ascii = endOf(ASCII_TLD, text, start);
  if (ascii > 0) {
    return known.has(text.slice(start, ascii).toLowerCase()) && !GOES_ON.test(text.charAt(ascii))
      ? ascii
      : -1;
  }
  const tld = knownBeyondAscii.find((name) => text.startsWith(name, start));
  return tld !== undefined && !GOES_ON.test(text.charAt(start + tld.length)) ? start + tld.length : -1;
}

/** Emojis are younger than the Unicode of internationalized names (3.2). */
const EMOJI = /[\u{1F000}-\u{1FAFF}]/u;

/** Returns true if a host name can be written in ASCII, label by label. */
export const isResolvable = (domain: string): boolean =>
  !EMOJI.test(domain) &&
  domain.split('.').every((label) => {
    const ascii = /^[a-z0-9_-]*$/i.test(label) ? label : domainToASCII(label);
    return ascii !== '' && ascii.length <= MAX_LABEL;
  });
const MAX_LABEL = 63;
