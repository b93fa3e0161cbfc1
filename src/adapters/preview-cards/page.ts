import { Parser } from 'htmlparser2';

/** The description of a page in its head, unchanged. */
export interface PageHead {
  /** Open Graph, Twitter and plain `meta`, by name in lower case; the first of each counts. */
  meta: ReadonlyMap<string, string>;
  title: string;
  language: string | undefined;
  canonical: string | undefined;
  /** The address of its oEmbed description. */
  oembed: string | undefined;
  /** The texts of its JSON-LD scripts. */
  jsonLd: string[];
}

const MAX_META = 200;
const MAX_JSON_LD = 5;

/** Parses a page. Never fails: HTML has no errors, only surprises. */
export function readPage(html: string): PageHead {
  const meta = new Map<string, string>();
  const head: { -readonly [Key in keyof PageHead]: PageHead[Key] } = {
    meta,
    title: '',
    language: undefined,
    canonical: undefined,
    oembed: undefined,
    jsonLd: [],
  };
  let reading: 'title' | 'json-ld' | undefined;
  let text = '';
  let titled = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'html') head.language = attributes['lang'];
      else if (name === 'meta') readMeta(attributes, meta);
      else if (name === 'link') readLink(attributes, head);
      else if (name === 'title' && !titled) reading = 'title';
      else if (name === 'script' && attributes['type']?.toLowerCase() === 'application/ld+json') {
        reading = 'json-ld';
      } else return;
      text = '';
    },
    ontext(chunk) {
      if (reading !== undefined) text += chunk;
    },
    onclosetag(name) {
      if (name === 'title' && reading === 'title') {
        head.title = text;
        titled = true;
        reading = undefined;
      } else if (name === 'script' && reading === 'json-ld') {
        if (head.jsonLd.length < MAX_JSON_LD) head.jsonLd.push(text);
        reading = undefined;
      }
    },
  });
  parser.end(html);
  return head;
}

function readMeta(attributes: Record<string, string>, meta: Map<string, string>): void {
  const name = (attributes['property'] ?? attributes['name'] ?? '').toLowerCase();
  const { content } = attributes;
  if (name !== '' && content !== undefined && !meta.has(name) && meta.size < MAX_META)
    meta.set(name, content);
}

function readLink(
  { rel = '', type = '', href }: Record<string, string>,
  head: { canonical: string | undefined; oembed: string | undefined },
): void {
  const kinds = rel.toLowerCase().split(/\s+/);
  if (kinds.includes('canonical')) head.canonical ??= href;
  if (kinds.includes('alternate') && /^(?:application|text)\/json\+oembed/i.test(type)) head.oembed ??= href;
}
