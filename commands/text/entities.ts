import { MAX_TAG_LENGTH } from '../../src/kernel/normalize-tag.ts';
import { LinkifyIt } from 'linkify-it';
import { LRUCache } from 'lru-cache';
import tlds from 'tlds' with { type: 'json' };

/** A stretch `[start, end)` of a text (UTF-16 offsets) that means more than its letters. */
export type TextEntity =
  | { kind: 'url'; start: number; end: number; url: string }
  | { kind: 'mention'; start: number; end: number; username: string; domain: string | null }
  | { kind: 'hashtag'; start: number; end: number; name: string };

/** Longer ones stay plain text, so that no one hides a book behind a link. UTF-16 units. */
const MAX_URL_LENGTH = 4096;
export const MAX_USERNAME_LENGTH = 128;
const MAX_DOMAIN_LENGTH = 253;

/**
 * Finds links, mentions and hashtags, in order and without overlaps. Time is linear in the length of the text: every run
 * that is read ahead ends before the next character that could start an entity, or is skipped as a whole.
 *
 * - Links: `http://` and `https://` spelled out, on a host with a known top-level domain.
 * - Mentions: `@user` and `@user@domain`, not after a letter, digit, `_`, `/` or `=` (so not inside e-mail addresses).
 * - Hashtags: letters, marks, numbers and `_`; `·`, `・` and ZWNJ between them; at least one letter, or a separator or
 *   `_` in the middle; not after a letter, a number, `/`, `)` or `=`.
 */
export function findEntities(text: string): readonly TextEntity[] {
  const known = lately.get(text);
  if (known) return known;
  const entities = readEntities(text);
  lately.set(text, entities);
  return entities;
}

/** A text is asked about several times on its way into an event: who is mentioned, how long it is, what it links to. */
const lately = new LRUCache<string, readonly TextEntity[]>({
  max: 200,
  maxSize: 1_000_000,
  sizeCalculation: (_, text) => text.length + 1,
});

function readEntities(text: string): TextEntity[] {
  const entities: TextEntity[] = [];
  const trigger = /[@#＃]|https?:\/\//gi;
  for (let found = trigger.exec(text); found; found = trigger.exec(text)) {
    const start = found.index;
    if (found[0].length > 1) {
      const link = readUrl(text, start, found[0].length);
      if (link.url) entities.push({ kind: 'url', start, end: link.end, url: link.url });
      trigger.lastIndex = link.end;
      continue;
    }
    const entity = found[0] === '@' ? readMention(text, start) : readHashtag(text, start);
    if (!entity) continue;
    entities.push(entity);
    trigger.lastIndex = entity.end;
  }
  return entities;
}

const linkify = new LinkifyIt({ maxLength: MAX_URL_LENGTH + 1 });
const knownTlds = new Set<string>([...tlds, 'onion']);

const NOT_BEFORE_URL = /[A-Za-z0-9@＠$#＃\u202A-\u202E\u2066-\u2069]/;
/** Invisible characters that could make a link look like another one, and halves of surrogate pairs. */
const NOT_IN_URL = /[\p{Cc}\p{Cs}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]/u;

/** The link at `start`, or where to go on when there is none. */
function readUrl(text: string, start: number, prefixLength: number): { url?: string; end: number } {
  const afterPrefix = start + prefixLength;
  if (NOT_BEFORE_URL.test(characterBefore(text, start))) return { end: afterPrefix };
  const schemeEnd = afterPrefix - '//'.length;
  const length = linkify.testSchemaAt(text, text.slice(start, schemeEnd), schemeEnd);
  if (length === 0) return { end: afterPrefix };
  if (schemeEnd + length - start > MAX_URL_LENGTH) return { end: endOfWord(text, start) };

  let url = text.slice(start, schemeEnd + length);
  const invisible = url.search(NOT_IN_URL);
  if (invisible >= 0) url = url.slice(0, invisible);

  const host = /^[^/?#]*/.exec(url.slice(prefixLength))?.[0].replace(/:\d+$/, '') ?? '';
  if (!isPublicHost(host)) {
    // Languages without spaces write on right after the link: "https://example.comです".
    const asciiHost = /^[A-Za-z0-9.-]*/.exec(host)?.[0] ?? '';
    if (asciiHost.length === host.length || !isPublicHost(asciiHost)) return { end: afterPrefix };
    url = url.slice(0, prefixLength + asciiHost.length);
  }
  return URL.canParse(url) ? { url, end: start + url.length } : { end: afterPrefix };
}

/** True for a host name under a top-level domain that exists (IANA's list, IDNs in either form, and `.onion`). */
function isPublicHost(host: string): boolean {
  const labels = host.toLowerCase().split('.');
  const last = labels.at(-1) ?? '';
  return (
    labels.length > 1 &&
    labels.every((label) => label !== '') &&
    (knownTlds.has(last) || last.startsWith('xn--'))
  );
}

const NOT_BEFORE_MENTION = /[\p{L}\p{M}\p{N}\p{Pc}=/]/u;

function readMention(text: string, start: number): TextEntity | undefined {
  if (NOT_BEFORE_MENTION.test(characterBefore(text, start))) return undefined;
  const username = matchAt(/[A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*/y, text, start + 1);
  if (!username || username.length > MAX_USERNAME_LENGTH) return undefined;
  const end = start + 1 + username.length;

  if (text[end] !== '@') return { kind: 'mention', start, end, username, domain: null };
  const word = matchAt(/[\p{L}\p{M}\p{N}\p{Pc}]+(?:[.-]+[\p{L}\p{M}\p{N}\p{Pc}]+)*/uy, text, end + 1);
  if (!word) return { kind: 'mention', start, end, username, domain: null };
  if (word.length > MAX_DOMAIN_LENGTH) return undefined;
  // A port only where no public server can be meant: servers on one's own machine.
  const local = /^(?:(?:.*\.)?localhost|\d{1,3}(?:\.\d{1,3}){3})$/i.test(word);
  const port = local ? (matchAt(/:\d{2,5}(?!\d)/y, text, end + 1 + word.length) ?? '') : '';
  const domain = word + port;
  return { kind: 'mention', start, end: end + 1 + domain.length, username, domain };
}

const NOT_BEFORE_HASHTAG = /[\p{L}\p{M}\p{N}=/)]/u;

/** A mark may not come first, and selectors of emoji never belong: `#️⃣` is a key, not a tag. */
const TAG_RUN = /[\p{L}\p{N}_][[\p{L}\p{Mn}\p{Mc}\p{N}_·・\u200C]--[\uFE00-\uFE0F]]*/vy;

function readHashtag(text: string, start: number): TextEntity | undefined {
  if (NOT_BEFORE_HASHTAG.test(characterBefore(text, start))) return undefined;
  const run = matchAt(TAG_RUN, text, start + 1);
  if (!run) return undefined;
  const name = trimSeparators(run);
  if (name.length > MAX_TAG_LENGTH) return undefined;
  if (!/\p{Alphabetic}/u.test(name) && !/^.[^]*[_·・\u200C][^]*.$/u.test(name)) return undefined;
  return { kind: 'hashtag', start, end: start + 1 + name.length, name };
}

/** Without the separators at the end. Not a regex: `/x+$/` takes quadratic time on a text of many runs. */
function trimSeparators(run: string): string {
  let end = run.length;
  while (end > 0 && '·・\u200C'.includes(run.charAt(end - 1))) end -= 1;
  return run.slice(0, end);
}

function matchAt(sticky: RegExp, text: string, position: number): string | undefined {
  sticky.lastIndex = position;
  return sticky.exec(text)?.[0];
}

function endOfWord(text: string, start: number): number {
  return start + (matchAt(/\S+/y, text, start)?.length ?? 1);
}

/** The whole code point before a position; empty at the start. */
function characterBefore(text: string, position: number): string {
  if (position === 0) return '';
  const low = text.charCodeAt(position - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff && position > 1;
  return text.slice(isPair ? position - 2 : position - 1, position);
}
