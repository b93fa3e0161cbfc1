/** Controls and marks that turn the direction of writing would hide what a line says. */
const HIDING = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Returns a plain text of another server as one line that can be shown: breaks become spaces. HTML in it stays text. */
export const plainLine = (text: string): string => text.replace(/\s+/gu, ' ').replace(HIDING, '').trim();
