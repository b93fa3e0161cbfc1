import type { Status } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { icon, type IconName } from '../design/icons.ts';
import type { View } from './view.ts';

/** The ways in which a visitor can use an account elsewhere to act on what is shown here. */
export const INTERACTIONS = ['follow', 'reply', 'reblog', 'favourite'] as const;
export type Interaction = (typeof INTERACTIONS)[number];

/** Returns the page that leads visitors without an account here to their own server. */
export const interactPath = (uri: string, kind: Interaction): string =>
  `/interact?${new URLSearchParams({ uri, kind }).toString()}`;

/** Renders links by which visitors act on a local post; remote ones have such links on their server. */
export function interactLinks({ uri, visibility }: Status, { instance }: View): Html | false {
  const link = (kind: Interaction, name: IconName, label: string): Html =>
    html`<a class="act" href="${interactPath(uri, kind)}" rel="nofollow">${icon(name)}${label}</a>`;
  return (
    uri.startsWith(`${instance.origin}/`) &&
    (visibility === 'public' || visibility === 'unlisted') &&
    html`<p class="post-actions interact">
      ${link('reply', 'reply', 'Reply')} ${link('reblog', 'repeat-2', 'Boost')}
      ${link('favourite', 'star', 'Favourite')}
    </p>`
  );
}
