const WORD = '[\\p{L}\\p{M}\\p{Nd}\\p{Pc}]';
const BEGINS_IN_WORD = new RegExp(`^${WORD}`, 'u');
const ENDS_IN_WORD = new RegExp(`${WORD}$`, 'u');

export interface Keyword {
  keyword: string;
  wholeWord: boolean;
}

/**
 * Returns what stands first in a text of keywords that it holds, as it is written there: Mastodon shows this in `keyword_matches`.
 * Where the text has another composed form, it is the first keyword itself.
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
