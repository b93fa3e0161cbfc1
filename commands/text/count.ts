import { findEntities } from './entities.ts';

/** What a link counts for, however long it is: https://docs.joinmastodon.org/entities/Instance/#characters_reserved_per_url */
export const CHARACTERS_PER_URL = 23;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The length of a status as its author sees it: grapheme clusters of text and content warning; a link counts 23, a
 * remote mention only its `@user`. Not a bound on memory: one cluster can hold any number of combining marks, so the
 * endpoint bounds the raw length as well.
 */
export function countCharacters(status: { text: string; spoilerText?: string }): number {
  const { text, spoilerText = '' } = status;
  let urls = 0;
  let rest = '';
  let position = 0;
  for (const entity of findEntities(text)) {
    if (entity.kind === 'hashtag') continue;
    rest += text.slice(position, entity.start);
    // A placeholder keeps neighbours from melting into one cluster.
    rest += entity.kind === 'url' ? 'x' : `@${entity.username}`;
    if (entity.kind === 'url') urls += 1;
    position = entity.end;
  }
  rest += text.slice(position);
  return countGraphemes(spoilerText) + countGraphemes(rest) + urls * (CHARACTERS_PER_URL - 1);
}

/** The number of user-perceived characters (Unicode UAX #29). */
export function countGraphemes(text: string): number {
  // Plain ASCII needs no segmentation: one character each, CR LF being one.
  if (/^[\x00-\x7F]*$/.test(text)) return text.length - (text.match(/\r\n/g)?.length ?? 0);
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}
