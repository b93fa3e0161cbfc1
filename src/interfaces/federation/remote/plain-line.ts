/** Control characters, and marks that change the direction of writing, would hide parts of a line. */
const HIDING = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Returns a plain text of another server as one line for display: line breaks become spaces. HTML in it stays
 * text.
 */
export const plainLine = (text: string): string => text.replace(/\s+/gu, ' ').replace(HIDING, '').trim();
