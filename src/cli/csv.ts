/**
 * One line of a table in the format of RFC 4180, which ends it with CR LF. What a spreadsheet would take for a formula gets a
 * quote in front, since others wrote it: https://owasp.org/www-community/attacks/CSV_Injection
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
