import { shortcodesIn } from './shortcodes.ts';

/**
 * Ready JSON: the projection prints the parts that are the same for every reader once, and stores them as
 * text without the outer braces. Control characters stand for hosts that a setting decides, and for emojis
 * that may change. JSON texts contain no control characters, since JSON.stringify escapes them.
 * `queries/entities/ready-json.ts` fills them in.
 */
export const MEDIA_ORIGIN = '\u0001';
export const ORIGIN = '\u0002';
/** Begins a text with the names of emojis, and stands for the existing ones among them. */
export const EMOJIS = '\u0003';

/** The members of an object, without its braces. */
export const members = (object: Record<string, unknown>): string => JSON.stringify(object).slice(1, -1);

/** Returns a JSON string: a URL below one of the origins. */
export const urlBelow = (origin: typeof MEDIA_ORIGIN | typeof ORIGIN, path: string): string =>
  `"${origin}${JSON.stringify(path).slice(1)}`;

/**
 * Returns the member `emojis` of an entity with these local texts: the names in them, of which existing
 * emojis are filled in on reading; null for none.
 */
export function emojisIn(texts: readonly string[]): string | null {
  const shortcodes = shortcodesIn(texts);
  return shortcodes.length === 0 ? null : `["${EMOJIS}${shortcodes.join(',')}"]`;
}

/** Parses ready JSON, for the rare case that it must be changed. `printReady` is the inverse. */
export const parseReady = (text: string): unknown =>
  JSON.parse(text.replace(PLACEHOLDERS, (character) => `\\u000${character.charCodeAt(0)}`));

export const printReady = (value: unknown): string =>
  JSON.stringify(value).replace(ESCAPES, (escape, code?: string) =>
    code === undefined ? escape : String.fromCharCode(Number(code)),
  );

const PLACEHOLDERS = new RegExp(`[${MEDIA_ORIGIN}${ORIGIN}${EMOJIS}]`, 'g');
/** Matches every escape whole, so that an escaped backslash starts none. */
const ESCAPES = /\\(?:u000([123])|.)/g;
