import { LRUCache } from 'lru-cache';
import { MAX_TAG_LENGTH } from '#mastodon/normalize-tag.ts';
import { endOf } from './domains.ts';
import { findUrls } from './urls.ts';

/** A range `[start, end)` of a text (UTF-16 offsets) with a meaning of its own. */
export type TextEntity =
  { kind: 'url'; start: number; end: number; url: string } | FoundMention | FoundHashtag;

export interface FoundHashtag {
  kind: 'hashtag';
  start: number;
  end: number;
  name: string;
}

export interface FoundMention {
  kind: 'mention';
  start: number;
  end: number;
  username: string;
  domain: string | null;
}

export const MAX_USERNAME_LENGTH = 128;
const MAX_DOMAIN_LENGTH = 253;

/**
 * Finds links, mentions and hashtags by Mastodon's rules, in order and without overlaps: the one that begins first counts. Time is
 * linear in the length of the text.
 *
 * - Links: see `findUrls`.
 * - Mentions: `@user` and `@user@domain`, not after a word, `/` or `=` (so not inside e-mail addresses), and not before `@`, `://`, a
 *   Latin letter with an accent, or the rest of a host that no server can have.
 * - Hashtags: after white space or at the start of a line. Word characters; `·`, `・` and ZWNJ between them; at least one letter, or
 *   a separator or `_` in the middle.
 */
export function findEntities(text: string): readonly TextEntity[] {
  const known = lately.get(text);
  if (known) return known;
  const entities = readEntities(text);
  lately.set(text, entities);
  return entities;
}

/** A text is searched several times on its way into an event: for mentions, its length, its links. */
const lately = new LRUCache<string, readonly TextEntity[]>({
  max: 200,
  maxSize: 1_000_000,
  sizeCalculation: (_, text) => text.length + 1,
});

function readEntities(text: string): TextEntity[] {
  const urls = findUrls(text).map((url) => ({ kind: 'url' as const, ...url }));
  const mentions = findMentions(text).filter((mention) => isWhole(text, mention));
  const all = [...urls, ...findHashtags(text), ...mentions].sort((a, b) => a.start - b.start);
  let end = 0;
  return all.filter((entity) => {
    if (entity.start < end) return false;
    end = entity.end;
    return true;
  });
}

const isWhole = (text: string, { domain, end }: FoundMention): boolean =>
  endOf(NOT_AFTER_MENTION, text, end) < 0 && (domain === null || endOf(NOT_AFTER_HOST, text, end) < 0);

/** The characters of Ruby's `[[:word:]]`. */
const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}';
const MENTION = new RegExp(
  `(?<![=/${WORD}])@([A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*)(?:@([${WORD}]+(?:[.-]+[${WORD}]+)*))?`,
  'gu',
);
const NOT_AFTER_MENTION =
  /[@＠]|:\/\/|[\u0300-\u036F\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u024F\u0253\u0254\u0256\u0257\u0259\u025B\u0263\u0268\u026F\u0272\u0289\u028B\u02BB\u1E00-\u1EFF]/y;
/** After a host: signs that no host name contains, and more of a host behind them. */
const NOT_AFTER_HOST =
  /[.-]*(?:(?!\p{ASCII})[\p{S}\p{Cf}]){1,100}[.-]+[\p{L}\p{N}]|[.-]+(?!\p{ASCII})\p{S}/uy;
/** A port is accepted only for hosts that are no public servers: those of one's own machine. */
const OWN_MACHINE = /^(?:(?:.*\.)?localhost|\d{1,3}(?:\.\d{1,3}){3})$/i;
const PORT = /:\d{2,5}(?!\d)/y;

/** Finds names, also those that are no mentions for what surrounds them. */
function findMentions(text: string): FoundMention[] {
  const found: FoundMention[] = [];
  for (const match of text.matchAll(MENTION)) {
    const [whole, username = '', domain = null] = match;
    if (username.length > MAX_USERNAME_LENGTH || (domain?.length ?? 0) > MAX_DOMAIN_LENGTH) continue;
    const start = match.index;
    const end = start + whole.length;
    const portEnd = domain !== null && OWN_MACHINE.test(domain) ? endOf(PORT, text, end) : -1;
    const port = portEnd < 0 ? '' : text.slice(end, portEnd);
    found.push({
      kind: 'mention',
      start,
      end: end + port.length,
      username,
      domain: domain === null ? null : domain + port,
    });
  }
  return found;
}

/** A name, another `@`, and the rest up to white space. */
const HANDLE = new RegExp(`(?<![=/${WORD}])[@＠][${WORD}.-]+[@＠]\\S*`, 'gu');

/**
 * Returns the ranges of a text that look like `@user@host` and are no mention: the host or the name is not one
 * that a server can have.
 */
export function findUnreadHandles(text: string): { start: number; end: number }[] {
  const read = findEntities(text).filter(({ kind }) => kind !== 'hashtag');
  const ranges = [...text.matchAll(HANDLE)].map(({ 0: handle, index }) => ({
    start: index,
    end: index + handle.length,
  }));
  return ranges.filter(({ start }) => !read.some((entity) => start >= entity.start && start < entity.end));
}

const HASHTAG = new RegExp(`(?<=^|\\p{White_Space})[#＃]([${WORD}][${WORD}·・\\u200C]*)`, 'gmu');

/**
 * Returns every hashtag of a text, also where it becomes no link, as in a query that continues after
 * ideographic white space.
 */
export function findHashtags(text: string): FoundHashtag[] {
  const found: FoundHashtag[] = [];
  for (const match of text.matchAll(HASHTAG)) {
    const run = trimSeparators(match[1] ?? '');
    if (!isMeant(run)) continue;
    const start = match.index;
    const name = text.startsWith('://', start + 1 + run.length) ? run.replace(/(?<=.)https?$/su, '') : run;
    if (name.length > MAX_TAG_LENGTH) continue;
    found.push({ kind: 'hashtag', start, end: start + 1 + name.length, name });
  }
  return found;
}

/** A letter, or a separator in the middle. */
const isMeant = (name: string): boolean =>
  /\p{Alphabetic}/u.test(name) || /[_·・\u200C]/.test(name.slice(1, -1));

/** Removes the separators at the end. Not a regex: `/x+$/` takes quadratic time on a text of many runs. */
function trimSeparators(run: string): string {
  let end = run.length;
  while (end > 0 && '·・\u200C'.includes(run.charAt(end - 1))) end -= 1;
  return run.slice(0, end);
}
