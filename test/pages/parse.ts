import { Parser } from 'htmlparser2';

/** An element of a page: its attributes and all of its text. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  /** The names and classes of its ancestors: `details.veil`. */
  inside: string[];
}

/** The elements of a page, in order. */
export function load(markup: string) {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const inside = open.map((each) =>
        [each.name, ...(each.attributes['class'] ?? '').split(' ').filter(Boolean)].join('.'),
      );
      const element = { name, attributes, text: '', inside };
      elements.push(element);
      open.push(element);
    },
    ontext(text) {
      for (const element of open) element.text += text;
    },
    onclosetag() {
      open.pop();
    },
  });
  parser.end(markup);

  const all = (name: string, wanted: Record<string, string> = {}): Element[] =>
    elements.filter(
      (element) =>
        element.name === name &&
        Object.entries(wanted).every(([attribute, value]) =>
          attribute === 'class'
            ? (element.attributes['class'] ?? '').split(' ').includes(value)
            : element.attributes[attribute] === value,
        ),
    );
  const one = (name: string, wanted: Record<string, string> = {}): Element | undefined =>
    all(name, wanted)[0];
  return {
    elements,
    all,
    one,
    /** The content of a meta element, by `name` or `property`. */
    meta: (name: string): string | undefined =>
      (one('meta', { name }) ?? one('meta', { property: name }))?.attributes['content'],
    /** The target of a `link` of the head. */
    link: (rel: string, more: Record<string, string> = {}): string | undefined =>
      one('link', { rel, ...more })?.attributes['href'],
    /** The posts, by the text of each. */
    posts: (): string[] => all('article').map(({ text }) => text.replaceAll(/\s+/g, ' ').trim()),
  };
}
