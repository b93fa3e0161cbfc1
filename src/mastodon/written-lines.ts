/** Returns the non-empty lines of a text: a paragraph each. */
export const writtenLines = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line.trim() !== '');
