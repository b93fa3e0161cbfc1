import { createHash } from 'node:crypto';
import { MAX_TAG_LENGTH, normalizeTag } from './normalize-tag.ts';

/** A hashtag as it was typed, and the name under which it is found. */
export interface TagName {
  name: string;
  normal: string;
}

/**
 * Reads a hashtag that is named outside of a text, with or without `#`. Undefined for what no post could be tagged with:
 * other characters, more than 500 of them, or nothing but numbers.
 */
export function parseTagName(text: string): TagName | undefined {
  const name = text.trim().replace(/^[#＃]/, '');
  if (name.length > MAX_TAG_LENGTH || !ALLOWED.test(name) || !MEANT.test(name)) return undefined;
  const normal = normalizeTag(name);
  return normal === '' ? undefined : { name, normal };
}

/**
 * Returns the id of a hashtag for clients, by its normal name: 63 bits of its SHA-256. Posts of any server
 * introduce tags, so no server numbers them.
 */
export const tagId = (normal: string): string =>
  (createHash('sha256').update(normal).digest().readBigUInt64BE() >> 1n).toString();

/** The characters of a hashtag in a text (`commands/text/entities.ts`), to the end. */
const ALLOWED =
  /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}](?:[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}·・\u200C]*[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}])?$/u;
/** A letter, or a separator in the middle. */
const MEANT = /\p{Alphabetic}|^.[^]*[_·・\u200C][^]*.$/u;
