const WORD = '[\\p{L}\\p{M}\\p{Nd}\\p{Pc}]';
const BEGINS_IN_WORD = new RegExp(`^${WORD}`, 'u');
const ENDS_IN_WORD = new RegExp(`${WORD}$`, 'u');

export interface Keyword {
  keyword: string;
  wholeWord: boolean;
}

/**
 * Returns the first occurrence of a keyword in a text, as the text spells it: Mastodon shows this in
 * `keyword_matches`. If the text has another composed form, returns the first keyword itself.
 */
export function firstIn(text: string, keywords: readonly Keyword[]): string {
  const pattern = new RegExp(keywords.map(sourceOf).join('|'), 'iu');
  return pattern.exec(text)?.[0] ?? keywords[0]?.keyword ?? '';
}

/** A literal, so that a search takes time linear in the text. */
function sourceOf({ keyword, wholeWord }: Keyword): string {
  const literal = keyword.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const before = wholeWord && BEGINS_IN_WORD.test(keyword) ? `(?<!${WORD})` : '';
  const after = wholeWord && ENDS_IN_WORD.test(keyword) ? `(?!${WORD})` : '';
  return `${before}${literal}${after}`;
}
