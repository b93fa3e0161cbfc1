/** Text that is HTML. `html` creates it, and `trusted` from HTML of the API. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | false | null | undefined | readonly Part[];

/**
 * Returns HTML in which every value is escaped, unless it is HTML itself. False, null and undefined give
 * nothing.
 */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(
    compacted(strings)
      .map((text, index) => text + render(parts[index]))
      .join(''),
  );

const COMPACTED = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Returns the strings of a template without indentation, which makes a list of posts a third smaller. */
function compacted(strings: TemplateStringsArray): readonly string[] {
  const known = COMPACTED.get(strings);
  if (known) return known;
  const short = strings.map((text) => text.replaceAll(/\s*\n\s*/g, '\n'));
  COMPACTED.set(strings, short);
  return short;
}

/**
 * Returns HTML that this server wrote or sanitized: contents of posts, notes, values of fields, texts of
 * staff.
 */
export const trusted = (markup: string): Html => new Html(markup);

function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === null || part === false) return '';
  if (typeof part === 'object') return part.map(render).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
