/** Longer ones name nothing. UTF-16 units. */
const MAX_LENGTH = 2_048;
/** Controls, and halves of characters: Postgres takes no such text. */
const NO_TEXT = /[\p{Cc}\p{Cs}]/u;

/**
 * Returns typed text that may name an account or a post, trimmed; undefined for text that can name neither.
 */
export function lookupText(typed: string): string | undefined {
  const text = typed.trim();
  return text === '' || text.length > MAX_LENGTH || NO_TEXT.test(text) ? undefined : text;
}
