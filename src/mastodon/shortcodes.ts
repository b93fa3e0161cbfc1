/** The maximum characters of a name between colons. */
export const MAX_SHORTCODE_LENGTH = 100;
/** The maximum of names in one status or profile; later ones stay text. */
const MAX_SHORTCODES = 200;

/** Follows Mastodon: at least two letters, digits and underscores. */
export const isShortcode = (text: string): boolean => /^[A-Za-z0-9_]{2,100}$/.test(text);

/** A name between colons that touches neither a letter, a digit nor another colon. */
const IN_TEXT = /(?<![\p{Alphabetic}\p{Nd}:]):([A-Za-z0-9_]{2,100}):(?![\p{Alphabetic}\p{Nd}:])/gu;

/**
 * Returns the distinct names of custom emojis that texts may contain (`:blobcat:`), in order. It does not
 * check whether such emojis exist, because that changes while the text does not.
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

/** Replaces each of these names with its colons. A name stays when `replacement` returns undefined. */
export const replaceShortcodes = (
  text: string,
  replacement: (shortcode: string) => string | undefined,
): string => text.replace(IN_TEXT, (whole, shortcode: string) => replacement(shortcode) ?? whole);
