import { jsonExcess, type JsonLimits } from '#kernel/json-limits.ts';
import { readMoment } from '#kernel/moments.ts';
import { fromJson } from '#kernel/parse-json.ts';
import { RemoteError } from './remote-error.ts';

/** A JSON object of another server, whose members may have any type. */
export type Foreign = Readonly<Record<string, unknown>>;

/**
 * A document has hundreds of values; a page of a collection has some thousands. Names cost the parser more
 * than values.
 */
const LIMITS: JsonLimits = { values: 20_000, keys: 10_000, depth: 32 };

/**
 * Reads a document that is one JSON object, neither deep nor wide (GHSA-vgm8-frgh-rh2v). Its values are counted before it is parsed,
 * so a document that is refused costs little. Documents are taken as they are written: no JSON-LD context is fetched or applied, so
 * none can make one thing of another. `bytes`: the text in UTF-8, where the caller has it.
 * @throws RemoteError
 */
export function parseDocument(text: string, bytes: Uint8Array = Buffer.from(text)): Foreign {
  const excess = jsonExcess(bytes, LIMITS);
  if (excess !== undefined) throw new RemoteError(`is too deep or too wide: ${excess}`);
  let value: unknown;
  try {
    value = fromJson(text);
  } catch {
    throw new RemoteError('is no JSON');
  }
  if (!isObject(value)) throw new RemoteError('is no JSON object');
  return NO_TEXT.test(text) ? (storable(value) as Foreign) : value;
}

/**
 * NUL and half a surrogate pair: Postgres stores no text with them, so an event with one would halt the read
 * models.
 */
const NO_TEXT = /\\u(?:0000|d[89a-f])/i;

/** Removes from the texts of a value, in place, what Postgres cannot store. `LIMITS` bound the recursion. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name in members) members[name] = storable(members[name]);
  return value;
}

export const isObject = (value: unknown): value is Foreign =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the values of a property, which may be one value, several or none. */
export function listOf(value: unknown, max: number): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as unknown[]).slice(0, max) : [value];
}

/** Returns the entry of a list of one, which means the same as the entry alone; any other value unchanged. */
export const single = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value;

/** Returns the id of the object that a property contains or references. */
export function idOf(value: unknown): string | undefined {
  const one = single(value);
  const id = isObject(one) ? one['id'] : one;
  return typeof id === 'string' ? id : undefined;
}

/** Returns a text, cut to `max` UTF-16 units, without halves of characters; empty for any other value. */
export const textOf = (value: unknown, max: number): string =>
  typeof value === 'string' ? value.slice(0, max).toWellFormed() : '';

/** A text, and the tag of its language where the document names one. */
export interface NaturalText {
  text: string;
  language: string | undefined;
}

/** The maximum number of values and languages of one property that are read. */
const MAX_TEXTS = 100;

/**
 * Returns a property's text and its language: the value itself, whose language is that of the equal entry of its map, else of the
 * first entry; without a value, the first entry. https://www.w3.org/TR/activitystreams-core/#naturalLanguageValues
 */
export function languageText(document: Foreign, name: string, max: number): NaturalText {
  const map = document[`${name}Map`];
  const entries = isObject(map) ? Object.entries(map).slice(0, MAX_TEXTS) : [];
  const valueOf = (value: unknown): string => textOf(isObject(value) ? value['@value'] : value, max);
  for (const value of listOf(document[name], MAX_TEXTS)) {
    const text = valueOf(value);
    if (text === '') continue;
    const tagged = isObject(value) ? textOf(value['@language'], MAX_TAG) : '';
    const equal = entries.find(([, other]) => valueOf(single(other)) === text) ?? entries[0];
    return { text, language: tagged || equal?.[0] };
  }
  for (const [language, value] of entries) {
    const text = valueOf(single(value));
    if (text !== '') return { text, language };
  }
  return { text: '', language: undefined };
}

/** A longer tag names no real language. */
const MAX_TAG = 35;

/** Returns a property's text in any language: see `languageText`. */
export const naturalText = (document: Foreign, name: string, max: number): string =>
  languageText(document, name, max).text;

/** Returns the types of an object. */
export const typesOf = (document: Foreign): string[] =>
  listOf(document['type'], 10).filter((type) => typeof type === 'string');

/** Returns a past time as ISO 8601; undefined for any other value. */
export function pastMoment(value: unknown, now: string): string | undefined {
  const moment = momentOf(value);
  return moment !== undefined && moment <= now ? moment : undefined;
}

/** Returns a time of these centuries as ISO 8601 in UTC; undefined for any other value. */
export function momentOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const at = readMoment(value)?.at;
  return at !== undefined && at >= '1970' && at < '2100' ? at : undefined;
}

/** Nested links: an image whose `url` is a list of links. */
const MAX_LINKS_DEEP = 3;

/**
 * Returns the first address of a page or a file that may be shown: http or https, within the stored length.
 */
export function webAddress(value: unknown, depth = 0): string | undefined {
  const [first] = listOf(value, 1);
  if (isObject(first) && depth < MAX_LINKS_DEEP) return webAddress(first['href'] ?? first['url'], depth + 1);
  const href = first;
  if (typeof href !== 'string' || href.length > 2_048) return undefined;
  const url = URL.parse(href);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return url.href.length > 2_048 ? undefined : url.href;
}

/**
 * Returns the page of an object: the first of its `url`s at the origin of its id, or the id itself. Another
 * origin could belong to a third party (CVE-2023-36462).
 */
export function pageOf(document: Foreign, id: string): string {
  const { origin } = new URL(id);
  const pages = listOf(document['url'], 10).flatMap((link) => {
    // Older servers call it `mimeType`.
    const type = isObject(link) ? (link['mediaType'] ?? link['mimeType']) : undefined;
    return type === undefined || type === 'text/html' ? (webAddress(link) ?? []) : [];
  });
  return pages.find((page) => new URL(page).origin === origin) ?? id;
}
