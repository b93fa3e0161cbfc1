import type { Status } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { profilePath, webAddress } from './addresses.ts';
import { byline, nameLink, plainName } from './byline.ts';
import { filterOf, isHidden, veiledBy } from './filtered.ts';
import { interactLinks } from './interact.ts';
import { actionsOf } from './status-actions.ts';
import { contentOf, type Shown, whenOf } from './status-content.ts';
import { countsOf, detailsOf } from './status-details.ts';
import { momentText } from './texts.ts';
import type { View } from './view.ts';

/** Renders posts of a list; those that a filter hides are left out. */
export const statusItems = (statuses: readonly Status[], view: View): Html[] =>
  statuses.filter((status) => !isHidden(status, view)).map((status) => statusItem(status, view));

interface ItemOptions {
  /** A class of its place in a thread. */
  place?: string;
  /** The post above is the one that it replies to. */
  belowParent?: boolean;
}

/** Renders a post in a list; for a reblog, the original and the account that boosted it. */
export function statusItem(
  status: Status,
  view: View,
  { place, belowParent = false }: ItemOptions = {},
): Html {
  const { reblog, account } = status;
  if (!reblog) {
    return article(status, view, { context: contextOf(status, view, belowParent), ...(place && { place }) });
  }
  const context = html`<p class="post-context">${icon('repeat-2')} ${nameLink(account, view)} boosted</p>`;
  return article(reblog, view, { context, listedAs: status.id });
}

/** Renders the post of a page, with all details. */
export const wholeStatus = (
  status: Status,
  view: View,
  { belowParent = false, ...shown }: Shown & Pick<ItemOptions, 'belowParent'> = {},
): Html => article(status, view, { context: contextOf(status, view, belowParent), shown, focused: true });

interface ArticleOptions extends Pick<ItemOptions, 'place'> {
  /** The lines above the post. */
  context?: Html | false;
  shown?: Shown;
  focused?: boolean;
  /** The id under which a list contains it, if it is another one. */
  listedAs?: string;
}

function article(
  status: Status,
  view: View,
  { context, shown, place, focused = false, listedAs = status.id }: ArticleOptions,
): Html {
  const { account, created_at, id } = status;
  const content = contentOf(status, view, { ...shown, ...(listedAs !== id && { within: listedAs }) });
  return html`<article
    class="post${focused && ' focused'}${place !== undefined && ` ${place}`}"
    id="s${listedAs}"
    data-id="${id}"
    aria-label="Post by ${plainName(account)}, ${momentText(created_at)}"
  >
    ${context}
    <header class="post-head">${byline(account, view)} ${whenOf(status, view)}</header>
    ${veiledBy(filterOf(status, view), content)} ${focused && detailsOf(status, view)}
    ${view.user ? actionsOf(status, view) : html`${countsOf(status)} ${focused && interactLinks(status, view)}`}
  </article>`;
}

/** Renders the lines above a post: that it is a private mention, and what it replies to. */
const contextOf = (status: Status, view: View, belowParent = false): Html =>
  html`${status.visibility === 'direct' && html`<p class="post-context">${icon('at-sign')} Private mention</p>`}
  ${!belowParent && replyLine(status, view)}`;

/** Names the author of the parent, if the mentions include them. */
function replyLine({ in_reply_to_account_id: to, account, mentions }: Status, { user }: View): Html | false {
  if (to === null) return false;
  const line = (text: Html): Html => html`<p class="post-context">${icon('reply')} ${text}</p>`;
  if (to === account.id) return line(html`Continued thread`);
  const mention = mentions.find(({ id }) => id === to);
  const page = user && mention ? profilePath(mention) : webAddress(mention?.url);
  if (!mention || page === undefined) return line(html`In reply to a post`);
  return line(html`<span>In reply to <a href="${page}" dir="ltr">@${mention.acct}</a></span>`);
}
