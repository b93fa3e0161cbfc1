import type { Status } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import type { View } from './view.ts';

type Filter = NonNullable<Status['filtered']>[number]['filter'];

const STRENGTH = { hide: 3, warn: 2, blur: 1 } as const;

/**
 * Returns the strongest filter of the user that matches a post, or the post that it boosts, on this kind of
 * page. Own posts are never filtered.
 */
export function filterOf(
  status: Status,
  { user, filters }: Pick<View, 'user' | 'filters'>,
): Filter | undefined {
  const { filtered, reblog } = status;
  if (filters === undefined || (reblog ?? status).account.id === user?.id) return undefined;
  const matches = [...(filtered ?? []), ...(reblog?.filtered ?? [])].map(({ filter }) => filter);
  return matches
    .filter(({ context }) => context.includes(filters))
    .toSorted((a, b) => STRENGTH[b.filter_action] - STRENGTH[a.filter_action])[0];
}

/** Returns true for a post that a list leaves out. */
export const isHidden = (status: Status, view: View): boolean =>
  filterOf(status, view)?.filter_action === 'hide';

/** Returns true for a post whose media are covered. */
export const isBlurred = (status: Status, view: View): boolean =>
  filterOf(status, view)?.filter_action === 'blur';

/** Renders content below the title of a filter that warns, or would hide it in a list. */
export const veiledBy = (filter: Filter | undefined, content: Html): Html =>
  filter && filter.filter_action !== 'blur'
    ? html`<details class="veil">
        <summary>${icon('funnel')}<span>Filtered: ${filter.title}</span></summary>
        ${content}
      </details>`
    : content;
