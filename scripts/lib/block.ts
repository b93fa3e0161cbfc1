/**
 * Returns the text with the lines between `<!-- name -->` and `<!-- /name -->` replaced.
 * @throws Error when the markers are missing
 */
export function replaceBlock(text: string, name: string, content: string): string {
  const start = `<!-- ${name} -->`;
  const end = `<!-- /${name} -->`;
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`The markers ${start} and ${end} are missing`);
  return `${text.slice(0, from + start.length)}\n\n${content.trim()}\n\n${text.slice(to)}`;
}
