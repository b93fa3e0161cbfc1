import { shortcodesIn } from './shortcodes.ts';

/**
 * Ready JSON: what is the same for every reader is printed once, by the projection, and stored as text without the outer
 * braces. Where it names a host that a setting decides, or emojis that come and go, a control character stands for it: JSON
 * texts hold none of their own, since JSON.stringify escapes them all. `queries/entities/ready-json.ts` fills them in.
 */
export const MEDIA_ORIGIN = '\u0001';
export const ORIGIN = '\u0002';
/** Begins a text that holds the names of emojis, and stands for those of them that exist. */
export const EMOJIS = '\u0003';

/** The members of an object, without its braces. */
export const members = (object: Record<string, unknown>): string => JSON.stringify(object).slice(1, -1);

/** A JSON string: a URL below one of the origins. */
export const urlBelow = (origin: typeof MEDIA_ORIGIN | typeof ORIGIN, path: string): string =>
  `"${origin}${JSON.stringify(path).slice(1)}`;

/**
 * Returns the member `emojis` of an entity with these local texts: the names found in them, of which those
 * become emojis that exist when it is read; null for none.
 */
export function emojisIn(texts: readonly string[]): string | null {
  const shortcodes = shortcodesIn(texts);
  return shortcodes.length === 0 ? null : `["${EMOJIS}${shortcodes.join(',')}"]`;
}

/**
 * Parses ready JSON, for the rare case that it must be changed; `printReady` makes ready JSON of it again.
 */
export const parseReady = (text: string): unknown =>
  JSON.parse(text.replace(PLACEHOLDERS, (character) => `\\u000${character.charCodeAt(0)}`));

export const printReady = (value: unknown): string =>
  JSON.stringify(value).replace(ESCAPES, (escape, code?: string) =>
    code === undefined ? escape : String.fromCharCode(Number(code)),
  );

const PLACEHOLDERS = new RegExp(`[${MEDIA_ORIGIN}${ORIGIN}${EMOJIS}]`, 'g');
/** Every escape is taken whole, so that an escaped backslash begins none. */
const ESCAPES = /\\(?:u000([123])|.)/g;
