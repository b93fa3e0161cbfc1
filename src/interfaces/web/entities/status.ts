import type { Status } from '../../../mastodon/schemas/index.ts';
import type { Instance } from '../../../kernel/context.ts';
import { pageOfStatus, webAddress } from './addresses.ts';
import { html, type Html } from '../design/html.ts';
import { mediaOf, veiledMediaOf } from './media.ts';
import { byline, nameLink, plainName } from './byline.ts';
import { cardOf, pollOf, quoteOf } from './status-parts.ts';
import { counted, languageOf, moment, momentText, textWithEmojis, withEmojis } from './texts.ts';

/** Renders a post in a list; for a reblog, the original and the account that reblogged it. */
export function statusItem(status: Status, instance: Instance): Html {
  const { reblog, account } = status;
  return reblog
    ? article(reblog, instance, html`<p class="why quiet">Reposted by ${nameLink(account)}</p>`)
    : article(status, instance, answerLine(status));
}

/** Renders the post of a page, with all details. */
export const wholeStatus = (status: Status, instance: Instance): Html =>
  article(status, instance, answerLine(status), applicationOf(status));

function article(status: Status, instance: Instance, why?: Html | false, more?: Html): Html {
  const { account, created_at } = status;
  return html`<article class="post" aria-label="Post by ${plainName(account)}, ${momentText(created_at)}">
    ${why}
    <header>${byline(account, instance)} ${whenOf(status)}</header>
    ${contentOf(status, instance)} ${countsOf(status, more)}
  </article>`;
}

/** Renders a quoted post without its own quote. */
const quotedStatus = (status: Status, instance: Instance): Html =>
  html`<header>${byline(status.account, instance)} ${whenOf(status)}</header>
    ${contentOf({ ...status, quote: null }, instance)}`;

/** Renders the time of posting, with a link to its page, and the time of the edit. */
function whenOf(status: Status): Html {
  const { created_at, edited_at } = status;
  const page = pageOfStatus(status);
  const when = page === undefined ? moment(created_at) : html`<a href="${page}">${moment(created_at)}</a>`;
  return html`<span class="when quiet"
    >${when}${edited_at !== null && html` · edited ${moment(edited_at)}`}</span
  >`;
}

/** Renders all contents; below a content warning if there is one, which covers the media too. */
function contentOf(status: Status, instance: Instance): Html {
  const { spoiler_text, sensitive, media_attachments, language, emojis, poll, card, quote } = status;
  const veiled = sensitive && spoiler_text === '';
  const quotes = quote !== null && 'quoted_status' in quote && quote.quoted_status !== null;
  const content = html`<div class="content${quotes && ' quoting'}" dir="auto" ${languageOf(language)}>
      ${withEmojis(status.content, emojis)}
    </div>
    ${poll && pollOf(poll)}
    ${veiled ? veiledMediaOf(media_attachments, instance) : mediaOf(media_attachments, instance)}
    ${quote && quoteOf(quote, (quoted) => quotedStatus(quoted, instance))}
    ${card && media_attachments.length === 0 && !quote && cardOf(card, instance)}`;
  if (spoiler_text === '') return content;
  return html`<details class="veil">
    <summary dir="auto" ${languageOf(language)}>${textWithEmojis(spoiler_text, emojis)}</summary>
    ${content}
  </details>`;
}

/** Names the author of the parent, if the mentions include them. */
function answerLine({ in_reply_to_account_id: to, account, mentions }: Status): Html | false {
  if (to === null) return false;
  if (to === account.id) return html`<p class="why quiet">Continues a thread</p>`;
  const mention = mentions.find(({ id }) => id === to);
  const page = webAddress(mention?.url);
  if (!mention || page === undefined) return html`<p class="why quiet">An answer</p>`;
  return html`<p class="why quiet">Answers <a href="${page}">@${mention.acct}</a></p>`;
}

const countsOf = (
  { replies_count, reblogs_count, favourites_count, quotes_count }: Status,
  more: Html | undefined,
): Html =>
  html`<footer class="quiet">
    ${counted(replies_count, 'reply', 'replies')} · ${counted(reblogs_count, 'repost')} ·
    ${counted(favourites_count, 'favourite')}
    ${quotes_count > 0 && html` · ${counted(quotes_count, 'quote')}`} ${more}
  </footer>`;

/** Renders the app that posted it, if the author shows it, and an unlisted visibility. */
function applicationOf({ application, visibility }: Status): Html {
  const website = webAddress(application?.website);
  const name = application?.name ?? '';
  return html`${visibility === 'unlisted' && html` · not in public timelines`}
  ${
    name !== '' &&
    html` · from
    ${website === undefined ? name : html`<a href="${website}" rel="nofollow noopener noreferrer">${name}</a>`}`
  }`;
}
