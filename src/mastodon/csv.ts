/** What a spreadsheet would take for a formula, and what looks like one that was made harmless. */
const FORMULA = /^'*[=+\-@\t\r]/;

/**
 * One line of a table in the format of RFC 4180, which ends it with CR LF. What a spreadsheet would take for a formula gets a
 * quote in front, since others wrote it: https://owasp.org/www-community/attacks/CSV_Injection
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** What stood in a cell before `csvLine` made it harmless. */
export const plainCell = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
