import { CHARACTERS_PER_URL } from '#mastodon/limits.ts';
import { findEntities } from './entities.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the length of a status as its author sees it: grapheme clusters of text and content warning; a link
 * counts 23, a remote mention only its `@user`. This does not bound memory: one cluster may contain any
 * number of combining marks, so the endpoint bounds the raw length as well.
 */
export function countCharacters(status: Counted): number {
  return sizeOf(partsOf(status), countGraphemes);
}

/**
 * Returns true if `countCharacters` exceeds `most`. A cluster has at least one UTF-16 unit, so short texts
 * need no counting.
 */
export function hasMoreCharacters(status: Counted, most: number): boolean {
  return sizeOf(partsOf(status), ({ length }) => length) > most && countCharacters(status) > most;
}

interface Counted {
  text: string;
  spoilerText?: string;
}

interface Parts {
  texts: string[];
  /** The characters that links count in addition to their placeholder in the text. */
  reserved: number;
}

const sizeOf = ({ texts, reserved }: Parts, size: (text: string) => number): number =>
  texts.reduce((sum, text) => sum + size(text), reserved);

function partsOf({ text, spoilerText = '' }: Counted): Parts {
  let urls = 0;
  let rest = '';
  let position = 0;
  for (const entity of findEntities(text)) {
    if (entity.kind === 'hashtag') continue;
    rest += text.slice(position, entity.start);
    // A placeholder keeps its neighbours from joining into one cluster.
    rest += entity.kind === 'url' ? 'x' : `@${entity.username}`;
    if (entity.kind === 'url') urls += 1;
    position = entity.end;
  }
  rest += text.slice(position);
  return { texts: [spoilerText, rest], reserved: urls * (CHARACTERS_PER_URL - 1) };
}

/**
 * Letters and signs that are a cluster each, unless a mark or joiner is next to them: ASCII, Latin, Greek,
 * Cyrillic and Chinese, and common punctuation.
 */
const PLAIN =
  '\\x20-\\x7E\\u00A1-\\u00AC\\u00AE-\\u02FF\\u0370-\\u0482\\u048A-\\u052F\\u2010-\\u2027\\u4E00-\\u9FFF';
/**
 * All other text, with the plain neighbours that may share a cluster with it. CR, LF and other controls share
 * none.
 */
const SEGMENTED = new RegExp(`[${PLAIN}]?(?:[^${PLAIN}\\x00-\\x1F]+[${PLAIN}]?)+`, 'g');

/** Returns the number of user-perceived characters (Unicode UAX #29). */
export function countGraphemes(text: string): number {
  let count = text.length - (text.match(/\r\n/g)?.length ?? 0);
  for (const [part] of text.matchAll(SEGMENTED)) {
    count -= part.length;
    for (const _ of segmenter.segment(part)) count += 1;
  }
  return count;
}
