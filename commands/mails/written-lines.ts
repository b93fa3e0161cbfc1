/** The lines that somebody wrote, without the empty ones: a paragraph each. */
export const writtenLines = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line.trim() !== '');
