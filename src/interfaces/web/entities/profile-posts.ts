import type { Status } from '#mastodon/schemas/index.ts';
import { emptyState, feed } from '../design/components.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { statusItems } from './status.ts';
import type { View } from './view.ts';

export interface ProfilePosts {
  /** The name of the list. */
  title: string;
  /** Absent except at the top of the profile. */
  pinned?: readonly Status[] | undefined;
  posts: readonly Status[];
}

/** Renders a list of an account's posts. Pinned posts stand above the others, and not among them too. */
export function profilePosts({ title, pinned = [], posts }: ProfilePosts, view: View): Html {
  const above = new Set(pinned.map(({ id }) => id));
  const others = posts.filter(({ id }) => !above.has(id));
  return html`${
    pinned.length > 0 &&
    html`<section aria-labelledby="pinned">
      <h2 id="pinned" class="list-head">${icon('pin')}Pinned posts</h2>
      ${feed(statusItems(pinned, view), NOTHING)}
    </section>`
  }
  ${
    (others.length > 0 || pinned.length === 0) &&
    html`<section aria-labelledby="posts">
      <h2 id="posts" class="${pinned.length > 0 ? 'list-head' : 'hush'}">${title}</h2>
      ${others.length > 0 ? feed(statusItems(others, view), NOTHING) : emptyState(NOTHING)}
    </section>`
  }`;
}

const NOTHING = { icon: 'message-circle', text: 'No posts yet.' } as const;

/** Renders the posts of an account that the moderators limited, in a closed box. */
export const hiddenProfile = (list: Html, domain: string): Html =>
  html`<details class="veil">
    <summary>
      ${icon('eye-off')}<span
        >This profile has been hidden by the moderators of ${domain}. Show profile anyway</span
      >
    </summary>
    ${list}
  </details>`;
