/**
 * Returns a text in one line, of `most` characters at most: what a user wrote cannot look like a row of a table, nor steer the
 * terminal.
 */
export function oneLine(text: string, most = Infinity): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line;
}
