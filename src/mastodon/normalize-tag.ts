/**
 * Sorts after every character of a normal name: names that begin with `rook` are between `rook` and `rook`
 * plus this character.
 */
export const LAST_CHARACTER = '\u{10FFFF}';

/** UTF-16 units of a hashtag: as many as the characters of a post. */
export const MAX_TAG_LENGTH = 500;

/**
 * The name under which a hashtag is stored and found: `＃BLÅHAJ`, `#Blåhaj` and `blahaj` are one tag, as on Mastodon
 * (https://github.com/mastodon/mastodon/pull/18795). In this order:
 *
 * 1. a leading `#` goes, and the text becomes Unicode NFKC (full-width Latin, half-width katakana);
 * 2. Latin letters with marks up to U+017F lose them (`Å` is `A`, `ł` is `l`);
 * 3. lower case;
 * 4. all but letters, combining marks, digits and separators goes. Mastodon drops marks that are no letters, such as the virama of `हिन्दी`.
 *
 * At most 500 UTF-16 units. Normalising twice changes nothing. Empty when nothing of a tag is left.
 */
export function normalizeTag(name: string): string {
  // NFKC can make a text many times longer, so a far too long text is cut first.
  const folded = foldLatin(
    name
      .slice(0, 4 * MAX_TAG_LENGTH)
      .normalize('NFKC')
      .replace(/^[#\s]+/, ''),
  );
  const cleaned = folded
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{Alphabetic}\p{M}\p{Nd}_·・\u200C]|[\uFE00-\uFE0F]/gu, '');
  return cutToLength(cleaned, MAX_TAG_LENGTH);
}

/** Latin letters without their marks: those without a decomposition, and a cache of the others. */
const LETTERS: Record<string, string> = {
  Ð: 'D',
  ð: 'd',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  Ł: 'L',
  ł: 'l',
  Ŋ: 'N',
  ŋ: 'n',
  Ø: 'O',
  ø: 'o',
  Ŧ: 'T',
  ŧ: 't',
};

/** Returns Latin letters up to U+017F without their marks; the text is in NFC or NFKC. */
export function foldLatin(text: string): string {
  return text.replace(/[\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u017F]/g, (letter) => {
    return (LETTERS[letter] ??= letter.normalize('NFD').replace(/\p{M}/gu, ''));
  });
}

/** Cuts to at most `length` UTF-16 units, and never splits a surrogate pair. */
export function cutToLength(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
