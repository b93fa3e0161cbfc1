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
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = compact(strings);
  let text = texts[0] ?? '';
  for (let index = 0; index < parts.length; index += 1)
    text += render(parts[index]) + (texts[index + 1] ?? '');
  return new Html(text);
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Returns the texts of a template without its indentation, which is a third of a page. */
function compact(strings: TemplateStringsArray): readonly string[] {
  const known = compacted.get(strings);
  if (known) return known;
  const texts = strings.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  compacted.set(strings, texts);
  return texts;
}

/**
 * Returns HTML that this server wrote or sanitized: contents of posts, notes, values of fields, texts of
 * staff.
 */
export const trusted = (markup: string): Html => new Html(markup);

function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escaped(part);
  if (part === undefined || part === null || part === false) return '';
  return typeof part === 'number' ? String(part) : part.map(render).join('');
}

const SPECIAL = /[&<>"']/;
const escaped = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`) : text;
