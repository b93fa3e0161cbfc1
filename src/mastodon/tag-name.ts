import { createHash } from 'node:crypto';
import { MAX_TAG_LENGTH, normalizeTag } from './normalize-tag.ts';

/** A hashtag as typed, and its normal name. */
export interface TagName {
  name: string;
  normal: string;
}

/**
 * Reads a hashtag that is given outside of a text, with or without `#`. Undefined for text that no post could
 * be tagged with: other characters, more than 500 of them, or only digits.
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

/** Matches the characters of a hashtag in a text (`commands/text/entities.ts`), to the end. */
const ALLOWED =
  /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}](?:[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}·・\u200C]*[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}])?$/u;
/** A letter, or a separator in the middle. */
const MEANT = /\p{Alphabetic}|^.[^]*[_·・\u200C][^]*.$/u;
