import type { Context, Status } from '../../../mastodon/schemas/index.ts';
import { html, type Html } from '../design/html.ts';
import { statusItems, wholeStatus } from './status.ts';
import type { View } from './view.ts';

/** Renders a post between its ancestors and its replies. */
export const thread = (status: Status, { ancestors, descendants }: Context, view: View): Html =>
  html`<div class="feed thread">
    ${statusItems(ancestors, view)} ${wholeStatus(status, view)} ${statusItems(descendants, view)}
  </div>`;
