import type { Status } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { statusPath, webAddress } from './addresses.ts';
import { compactNumber, counted, moment } from './texts.ts';
import type { View } from './view.ts';
import { AUDIENCES } from './visibility.ts';

type Counts = Pick<Status, 'replies_count' | 'reblogs_count' | 'favourites_count' | 'quotes_count'>;

/** Renders the counts that are not zero, for visitors who cannot act. */
export function countsOf({
  replies_count,
  reblogs_count,
  favourites_count,
  quotes_count,
}: Counts): Html | false {
  const counts = [
    replies_count > 0 && counted(replies_count, 'reply', 'replies'),
    reblogs_count > 0 && counted(reblogs_count, 'boost'),
    favourites_count > 0 && counted(favourites_count, 'favourite'),
    quotes_count > 0 && counted(quotes_count, 'quote'),
  ].filter((each) => each !== false);
  return counts.length > 0 && html`<footer class="post-foot">${counts.join(' · ')}</footer>`;
}

/** Renders the whole time, the audience, and the app that posted it, if the author shows it. */
export function detailsOf(status: Status, view: View): Html {
  const { application, created_at, edited_at, visibility } = status;
  const website = webAddress(application?.website);
  const name = application?.name ?? '';
  const audience = AUDIENCES[visibility];
  return html`<div class="post-details">
    <p>
      ${moment(created_at)}${
        (view.user || visibility !== 'public') &&
        html` · <span class="audience">${icon(audience.icon)} ${audience.name}</span>`
      }${
        name !== '' &&
        html` · from
        ${website === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${website}" rel="nofollow noopener noreferrer"><bdi>${name}</bdi></a>`}`
      }${edited_at !== null && html` · ${editedLink(status, edited_at, view)}`}
    </p>
    ${view.user && linkedCounts(status)}
  </div>`;
}

const editedLink = (status: Status, time: string, { user }: View): Html =>
  user
    ? html`<a href="${statusPath(status)}/history">edited ${moment(time)}</a>`
    : html`edited ${moment(time)}`;

/** Renders the counts as links to who and what they count. */
function linkedCounts(status: Status): Html | false {
  const { reblogs_count, favourites_count, quotes_count } = status;
  const page = statusPath(status);
  const counts = [
    { list: 'reblogs', count: reblogs_count, one: 'boost' },
    { list: 'quotes', count: quotes_count, one: 'quote' },
    { list: 'favourites', count: favourites_count, one: 'favourite' },
  ].filter(({ count }) => count > 0);
  return (
    counts.length > 0 &&
    html`<p class="counts">
      ${counts.map(({ list, count, one }) => html`<a href="${page}/${list}"><strong>${compactNumber(count)}</strong> ${one}${count !== 1 && 's'}</a> `)}
    </p>`
  );
}
