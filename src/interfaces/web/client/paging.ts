import { isId } from '../../../kernel/ids.ts';
import { html, type Html } from '../design/html.ts';
import type { WebRequest } from '../page/page.ts';

const PLACES = ['max_id', 'min_id', 'since_id'] as const;

/** Returns the place of a page in a list; text that is no id means the newest items. */
export function placeIn(query: URLSearchParams): Record<string, string> {
  const given = PLACES.map((name) => [name, query.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, id]) => isId(id)));
}

/** Renders links to the next page of a list, whose parameters `next` are, and back to its beginning. */
export function olderLink(
  { path, query }: WebRequest,
  next: Readonly<Record<string, string>> | undefined,
): Html | false {
  const paged = ['max_id', 'min_id', 'offset'].some((name) => query.has(name));
  if (!paged && !next) return false;
  const others = [...query].filter(([name]) => ![...PLACES, 'offset', 'done', 'undo'].includes(name));
  const address = (place: Readonly<Record<string, string>>): string => {
    const all = new URLSearchParams([...others, ...Object.entries(place)]).toString();
    return all === '' ? path : `${path}?${all}`;
  };
  return html`<nav class="pages" aria-label="Pages">
    ${paged ? html`<a class="button plain" href="${address({})}">Newest</a>` : html`<span></span>`}
    ${next && html`<a class="button plain" href="${address(next)}" rel="next">Older</a>`}
  </nav>`;
}
