/**
 * Returns a Unicode emoji (one of `RGI_Emoji`, https://unicode.org/reports/tr51/) in its full form; undefined
 * for any other text. Clients omit variation selectors in different ways, so `❤` and `❤️` are one emoji.
 */
export function emojiOf(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (ONE_EMOJI.test(text)) return text;
  const full = text.replaceAll('\uFE0F', '').replace(SHOWN_AS_TEXT, '$&\uFE0F');
  return ONE_EMOJI.test(full) ? full : undefined;
}

/** UTF-16 units; the longest families and flags are shorter. */
const MAX_LENGTH = 50;
const ONE_EMOJI = /^\p{RGI_Emoji}$/v;
/** Characters that are emojis only with a selector, unless a skin tone follows. */
const SHOWN_AS_TEXT = /[\p{Emoji}--\p{Emoji_Presentation}--[\u{1F1E6}-\u{1F1FF}]](?!\p{Emoji_Modifier})/gv;
