import { Parser } from 'htmlparser2';

/** A link of a page: in its head, in its text, or in its header `Link`. */
export interface PageLink {
  href: string;
  /** The words of `rel`, in lower case. */
  kinds: string[];
  /** The content type; empty for none. */
  type: string;
}

/** Returns the first `<a>` or `<link>` of a page that matches. Never fails. */
export function findLink(html: string, matches: (link: PageLink) => boolean): PageLink | undefined {
  let found: PageLink | undefined;
  const parser = new Parser({
    onopentag(name, { rel = '', href = '', type = '' }) {
      if (found || rel === '' || (name !== 'a' && name !== 'link')) return;
      const link = { href, kinds: wordsOf(rel), type };
      if (matches(link)) found = link;
    },
  });
  parser.end(html);
  return found;
}

/** Returns the links of a header `Link`: https://www.rfc-editor.org/rfc/rfc8288#section-3 */
export const headerLinks = (header: string): PageLink[] =>
  header.split(/,\s*(?=<)/).flatMap((link) => {
    const [, href, parameters = ''] = /^\s*<([^<>]*)>(.*)$/s.exec(link) ?? [];
    if (href === undefined) return [];
    return [{ href, kinds: wordsOf(parameterOf(parameters, 'rel')), type: parameterOf(parameters, 'type') }];
  });

const PARAMETERS = {
  rel: /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i,
  type: /;\s*type\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+))/i,
};

function parameterOf(parameters: string, name: keyof typeof PARAMETERS): string {
  const [, quoted, plain] = PARAMETERS[name].exec(parameters) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
}

const wordsOf = (text: string): string[] => text.toLowerCase().trim().split(/\s+/);
