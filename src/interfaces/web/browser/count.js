// @ts-check

const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}';
/** Links. Only the server knows all top-level domains. */
const LINK =
  /(?<![A-Za-z0-9@＠$#＃])(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini):\/\/(?:[^\s!-/:-@[-`{-~]|[-_])+(?:\.(?:[^\s!-/:-@[-`{-~]|[-_])+)*\.[\p{L}-]{2,}(?![\w@+-])(?::\d+)?(?:\/(?:[^\s<>()?]|\((?:[^\s<>()?]|\([^\s<>()?]+\))+\))*)?(?:\?[^\s<>"]*)?/giu;
/** These end a sentence, rather than a link. */
const NOT_LAST = /[!*"'「」;:=,.$%[\]~&|?]+$/;
/** Accounts of other servers. */
const MENTION = new RegExp(
  `(?<![=/${WORD}])@(\\w+(?:[.-]+\\w+)*)@[${WORD}]+(?:[.-]+[${WORD}]+)*(?![@＠${WORD}]|[.-]+[${WORD}])`,
  'gu',
);

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the length of a post as the server counts it: user-perceived characters; a link counts as
 * `perLink`, and an account without its domain.
 * @param {string} text
 * @param {number} perLink
 */
export function lengthOf(text, perLink) {
  const counted = text
    .replace(LINK, (link) => 'x'.repeat(perLink) + (NOT_LAST.exec(link)?.[0] ?? ''))
    .replace(MENTION, '@$1');
  return [...segmenter.segment(counted)].length;
}
