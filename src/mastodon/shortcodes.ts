/** Characters of a name that stands between colons. */
export const MAX_SHORTCODE_LENGTH = 100;
/** Names that one status or profile may use; what comes after is left as it is written. */
const MAX_SHORTCODES = 200;

/** As Mastodon has them: at least two letters, digits and underscores. */
export const isShortcode = (text: string): boolean => /^[A-Za-z0-9_]{2,100}$/.test(text);

/** A name between colons that touches neither a letter, a digit nor another colon. */
const IN_TEXT = /(?<![\p{Alphabetic}\p{Nd}:]):([A-Za-z0-9_]{2,100}):(?![\p{Alphabetic}\p{Nd}:])/gu;

/**
 * The names of custom emojis that texts may mean (`:blobcat:`), each once, in the order of the texts. Whether there are
 * such emojis is not asked here: that changes, the text does not.
 */
export function shortcodesIn(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    if (!text.includes(':')) continue;
    for (const [, shortcode = ''] of text.matchAll(IN_TEXT)) {
      if (found.size === MAX_SHORTCODES) return [...found];
      found.add(shortcode);
    }
  }
  return [...found];
}

/** Puts something else in the place of each of these names, with its colons; what it gives undefined for stays as it is. */
export const replaceShortcodes = (
  text: string,
  replacement: (shortcode: string) => string | undefined,
): string => text.replace(IN_TEXT, (whole, shortcode: string) => replacement(shortcode) ?? whole);
