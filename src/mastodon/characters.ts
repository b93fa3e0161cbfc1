/**
 * Tells whether a text has more characters, in code points as Mastodon counts them. A code point has at most
 * two UTF-16 units.
 */
export const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);
