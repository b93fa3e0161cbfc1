/** Matches text that a spreadsheet takes for a formula, or that looks like a defused formula. */
const FORMULA = /^'*[=+\-@\t\r]/;

/**
 * Returns one line of a table by RFC 4180, which ends with CR LF. A cell that a spreadsheet takes for a
 * formula gets a leading quote, because other users wrote it:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Returns the text of a cell before `csvLine` defused it. */
export const plainCell = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
