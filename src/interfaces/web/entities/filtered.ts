import type { Status } from '../../../mastodon/schemas/index.ts';
import { html, type Html } from '../design/html.ts';
import { icon } from '../design/icons.ts';

type Filter = NonNullable<Status['filtered']>[number]['filter'];

const STRENGTH = { hide: 3, warn: 2, blur: 1 } as const;

/** Returns the strongest filter of the user that matches a post or the post that it boosts. */
export function filterOf({ filtered, reblog }: Status): Filter | undefined {
  const matches = [...(filtered ?? []), ...(reblog?.filtered ?? [])].map(({ filter }) => filter);
  return matches.toSorted((a, b) => STRENGTH[b.filter_action] - STRENGTH[a.filter_action])[0];
}

/** Renders content below the title of a filter that warns. */
export const veiledBy = (filter: Filter | undefined, content: Html): Html =>
  filter?.filter_action === 'warn'
    ? html`<details class="veil">
        <summary>${icon('funnel')}<span>Filtered: ${filter.title}</span></summary>
        ${content}
      </details>`
    : content;
