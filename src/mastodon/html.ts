const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** Returns false for a fragment that certainly has no link: most posts. */
export const mayLink = (html: string): boolean => html.includes('<a');

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The form of most posts: one paragraph of plain text. */
const BARE = /^<p>([^<&]*)<\/p>$/;

/**
 * Returns the text of an HTML fragment, for search and filters: breaks and paragraphs become lines. Takes
 * linear time for any content, because a tag ends before the next one begins.
 */
export const plainText = (html: string): string => BARE.exec(html)?.[1]?.trim() ?? textOf(html);

const textOf = (html: string): string =>
  html
    .replace(/<br\s*\/?>|<\/p>\s*(?=<)/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hexadecimal, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? parseInt(String(hexadecimal), 16) : Number(decimal);
      // Excludes characters that Postgres cannot store, and lone surrogates.
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : '';
    })
    .trim();
