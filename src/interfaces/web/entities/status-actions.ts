import type { Status } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { icon, type IconName } from '../design/icons.ts';
import { statusPath } from './addresses.ts';
import { compactNumber } from './texts.ts';
import type { View } from './view.ts';

interface Act {
  /** The last part of the endpoint, with and without the mark. */
  names: readonly [set: string, unset: string];
  kind: string;
  label: string;
  icon: IconName;
  active: boolean | undefined;
  count?: number;
}

/** Renders what the signed-in user can do with a post. The buttons belong to the form of the frame. */
export function actionsOf(status: Status, view: View): Html {
  const { id, replies_count, reblogs_count, favourites_count } = status;
  return html`<footer class="post-actions">
    <a class="act" href="/publish?in_reply_to_id=${id}" title="Reply" ${labelled('Reply', replies_count)}
      >${icon('reply')}${number(replies_count)}</a
    >
    ${
      mayBoost(status, view)
        ? act(id, {
            names: ['reblog', 'unreblog'],
            kind: 'boost',
            label: 'Boost',
            icon: 'repeat-2',
            active: status.reblogged,
            count: reblogs_count,
          })
        : html`<span class="act" title="This post cannot be boosted">${icon('lock')}</span>`
    }
    ${act(id, {
      names: ['favourite', 'unfavourite'],
      kind: 'favourite',
      label: 'Favourite',
      icon: 'star',
      active: status.favourited,
      count: favourites_count,
    })}
    ${act(id, {
      names: ['bookmark', 'unbookmark'],
      kind: 'bookmark',
      label: 'Bookmark',
      icon: 'bookmark',
      active: status.bookmarked,
    })}
    <a class="act" href="${statusPath(status)}/actions" data-menu title="More">${icon('ellipsis')}</a>
  </footer>`;
}

/** Only its author can boost a followers-only post; a private mention cannot be boosted. */
export const mayBoost = ({ visibility, account }: Status, { user }: View): boolean =>
  visibility === 'public' ||
  visibility === 'unlisted' ||
  (visibility === 'private' && account.id === user?.id);

const act = (
  id: string,
  { names: [set, unset], kind, label, icon: name, active = false, count = 0 }: Act,
): Html =>
  html`<button
    form="act"
    formaction="/web/v1/statuses/${id}/${active ? unset : set}"
    class="act ${kind}"
    aria-pressed="${String(active)}"
    title="${label}"
    ${labelled(label, count)}
  >
    ${icon(name)}${number(count)}
  </button>`;

/** The title is the name of a control without a count. */
const labelled = (label: string, count: number): Html | false =>
  count > 0 && html`aria-label="${label}, ${count}"`;
const number = (count: number): Html | false => count > 0 && html`<span>${compactNumber(count)}</span>`;
