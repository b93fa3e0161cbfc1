/**
 * Returns a text on one line, with at most `most` characters. A user's text can then neither look like a row
 * of a table nor control the terminal.
 */
export function oneLine(text: string, most = Infinity): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line;
}
