import type { Status } from '../../../mastodon/schemas/index.ts';
import { html, type Html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { pageOfStatus, webAddress } from './addresses.ts';
import { byline, nameLink, plainName } from './byline.ts';
import { filterOf, veiledBy } from './filtered.ts';
import { interactLinks } from './interact.ts';
import { mediaOf, veiledMediaOf } from './media.ts';
import { pollOf } from './poll.ts';
import { actionsOf } from './status-actions.ts';
import { localLinks } from './local-links.ts';
import { cardOf, quoteOf } from './status-parts.ts';
import { ago, counted, languageOf, moment, momentText, textWithEmojis, withEmojis } from './texts.ts';
import type { View } from './view.ts';
import { visibilityMark } from './visibility.ts';

/** Renders posts of a list; those that a filter hides are left out. */
export const statusItems = (statuses: readonly Status[], view: View): Html[] =>
  statuses.flatMap((status) =>
    filterOf(status)?.filter_action === 'hide' ? [] : [statusItem(status, view)],
  );

/** Renders a post in a list; for a reblog, the original and the account that boosted it. */
export function statusItem(status: Status, view: View): Html {
  const { reblog, account } = status;
  if (!reblog) return article(status, view, { context: replyLine(status, view) });
  const context = html`<p class="post-context">${icon('repeat-2')} ${nameLink(account, view)} boosted</p>`;
  return article(reblog, view, { context, listedAs: status.id });
}

/** Renders the post of a page, with all details. */
export const wholeStatus = (status: Status, view: View): Html =>
  article(status, view, { context: replyLine(status, view), details: detailsOf(status), focused: true });

interface ArticleOptions {
  /** The line above the post. */
  context?: Html | false;
  details?: Html;
  focused?: boolean;
  /** The id under which a list contains it, if it is another one. */
  listedAs?: string;
}

function article(
  status: Status,
  view: View,
  { context, details, focused = false, listedAs = status.id }: ArticleOptions,
): Html {
  const { account, created_at, id } = status;
  const content = html`${contentOf(status, view)}`;
  return html`<article
    class="post${focused && ' focused'}"
    id="s${listedAs}"
    data-id="${id}"
    aria-label="Post by ${plainName(account)}, ${momentText(created_at)}"
  >
    ${context}
    <header class="post-head">${byline(account, view)} ${whenOf(status, view)}</header>
    ${veiledBy(filterOf(status), content)} ${details && html`<p class="post-details">${details}</p>`}
    ${view.user ? actionsOf(status, view) : html`${countsOf(status)} ${focused && interactLinks(status, view)}`}
  </article>`;
}

/** Renders a quoted post without its own quote. */
const quotedStatus = (status: Status, view: View): Html =>
  html`<header class="post-head">${byline(status.account, view)} ${whenOf(status, view)}</header>
    ${contentOf({ ...status, quote: null }, view)}`;

/** Renders the time of posting, with a link to its page, and marks of an edit and of the visibility. */
function whenOf(status: Status, view: View): Html {
  const { created_at, edited_at, visibility } = status;
  const page = pageOfStatus(status, view);
  const when = ago(created_at, view.now);
  return html`<span class="when"
    >${edited_at !== null && html`<span title="Edited ${momentText(edited_at)}">${icon('pencil')}<span class="hush">Edited</span></span>`}
    ${visibilityMark(visibility)}${page === undefined ? when : html`<a href="${page}">${when}</a>`}</span
  >`;
}

/** Renders all contents; below a content warning if there is one, which covers the media too. */
function contentOf(status: Status, view: View): Html {
  const { spoiler_text, sensitive, media_attachments, language, emojis, poll, card, quote } = status;
  const { instance } = view;
  const veiled = (sensitive && spoiler_text === '') || filterOf(status)?.filter_action === 'blur';
  const quotes = quote !== null && 'quoted_status' in quote && quote.quoted_status !== null;
  const content = html`<div class="content${quotes && ' quoting'}" dir="auto" ${languageOf(language)}>
      ${withEmojis(localLinks(status, view), emojis)}
    </div>
    ${poll && pollOf(poll, view)}
    ${veiled ? veiledMediaOf(media_attachments, instance) : mediaOf(media_attachments, instance)}
    ${quote && quoteOf(quote, (quoted) => quotedStatus(quoted, view))}
    ${card && media_attachments.length === 0 && !quote && cardOf(card, instance)}`;
  if (spoiler_text === '') return content;
  return html`<details class="veil">
    <summary dir="auto" ${languageOf(language)}>
      ${icon('triangle-alert')}<span>${textWithEmojis(spoiler_text, emojis)}</span>
    </summary>
    ${content}
  </details>`;
}

/** Names the author of the parent, if the mentions include them. */
function replyLine({ in_reply_to_account_id: to, account, mentions }: Status, { user }: View): Html | false {
  if (to === null) return false;
  const line = (text: Html): Html => html`<p class="post-context">${icon('reply')} ${text}</p>`;
  if (to === account.id) return line(html`Continued thread`);
  const mention = mentions.find(({ id }) => id === to);
  const page = user && mention ? `/@${mention.acct}` : webAddress(mention?.url);
  if (!mention || page === undefined) return line(html`In reply to a post`);
  return line(html`<span>In reply to <a href="${page}">@${mention.acct}</a></span>`);
}

/** Renders the counts that are not zero, for visitors who cannot act. */
function countsOf({ replies_count, reblogs_count, favourites_count, quotes_count }: Status): Html | false {
  const counts = [
    replies_count > 0 && counted(replies_count, 'reply', 'replies'),
    reblogs_count > 0 && counted(reblogs_count, 'boost'),
    favourites_count > 0 && counted(favourites_count, 'favourite'),
    quotes_count > 0 && counted(quotes_count, 'quote'),
  ].filter((each) => each !== false);
  return counts.length > 0 && html`<footer class="post-foot">${counts.join(' · ')}</footer>`;
}

/** Renders the whole time, and the app that posted it, if the author shows it. */
function detailsOf({ application, created_at, edited_at, visibility }: Status): Html {
  const website = webAddress(application?.website);
  const name = application?.name ?? '';
  return html`${moment(created_at)}${edited_at !== null && html` · edited ${moment(edited_at)}`}${visibility === 'unlisted' && html` · Quiet public`}
  ${
    name !== '' &&
    html` · from
    ${website === undefined ? name : html`<a href="${website}" rel="nofollow noopener noreferrer">${name}</a>`}`
  }`;
}
