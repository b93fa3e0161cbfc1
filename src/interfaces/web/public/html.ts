/** Text that is HTML already. `html` makes it, and `trusted` of what the API gives out as HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | false | null | undefined | readonly Part[];

/** HTML in which every value is escaped, unless it is HTML itself. Nothing comes of false, null and undefined. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, index) => text + render(parts[index])).join(''));

/** HTML that we wrote or sanitized ourselves: contents of posts, notes, values of fields, texts of the staff. */
export const trusted = (markup: string): Html => new Html(markup);

function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === null || part === false) return '';
  if (typeof part === 'object') return part.map(render).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
