import { isId } from '#kernel/ids.ts';
import { type Html, html } from '../design/html.ts';
import { addressWith } from './address-with.ts';
import type { WebRequest } from './page.ts';

const PLACES = ['max_id', 'min_id', 'since_id'] as const;

/** The parameters of a page of a list that is paged by ids. */
export type Place = Readonly<Partial<Record<(typeof PLACES)[number], string>>>;

/** The parameter of a page of a ranked list. */
export interface Offset {
  readonly offset?: string;
}

/** Returns the place of a page in a list; text that is no id means the newest items. */
export function placeIn(query: URLSearchParams): Place {
  const given = PLACES.map((name) => [name, query.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, id]) => isId(id)));
}

/** Returns the place of a page in a ranked list; text that is no number means its beginning. */
export function offsetIn(query: URLSearchParams): Offset {
  const offset = query.get('offset') ?? '';
  return /^[1-9]\d{0,4}$/.test(offset) ? { offset } : {};
}

/** Renders links to the next page of a list, whose parameters are `next`, and back to its beginning. */
export function olderLink(
  { path, query }: WebRequest,
  next: Readonly<Record<string, string>> | undefined,
  [first, more]: readonly [string, string] = ['Newest', 'Older'],
): Html | false {
  const paged = ['max_id', 'min_id', 'offset'].some((name) => query.has(name));
  if (!paged && !next) return false;
  const others = [...query].filter(([name]) => ![...PLACES, 'offset', 'done', 'undo'].includes(name));
  const address = (place: Readonly<Record<string, string>>): string =>
    addressWith(path, [...others, ...Object.entries(place)]);
  return html`<nav class="pages" aria-label="Pages">
    ${paged ? html`<a class="button plain" href="${address({})}">${first}</a>` : html`<span></span>`}
    ${next && html`<a class="button plain" href="${address(next)}" rel="next">${more}</a>`}
  </nav>`;
}
