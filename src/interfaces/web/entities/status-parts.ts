import type { Instance } from '#kernel/context.ts';
import type { PreviewCard, Status } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { isOurs, webAddress } from './addresses.ts';

/** A narrower picture stands beside the text. */
const WIDE = 400;

/** Renders the preview card of a linked page. */
export function cardOf(card: PreviewCard, instance: Instance): Html | undefined {
  const page = webAddress(card.url);
  if (page === undefined) return undefined;
  const { image, image_description = '', width, height } = card;
  const by = authorOf(card);
  const ours = isOurs(image, instance);
  const isWide = ours && width >= WIDE && width > height;
  return html`<a class="card${!isWide && ' small'}" href="${page}" rel="nofollow noopener noreferrer">
    ${
      ours
        ? html`<img
            src="${image}"
            alt="${image_description}"
            loading="lazy"
            ${width > 0 && height > 0 && html`width="${width}" height="${height}"`}
          />`
        : html`<span class="sign">${icon('newspaper')}</span>`
    }
    <span class="about">
      <span class="quiet" dir="auto">${card.provider_name || new URL(page).host}</span>
      <strong dir="auto">${card.title || page}</strong>
      ${card.description && html`<span class="more" dir="auto">${card.description}</span>`}
      ${by !== '' && html`<span class="quiet" dir="auto">By ${by}</span>`}
    </span>
  </a>`;
}

function authorOf({ authors, author_name }: PreviewCard): string {
  const account = authors.find((author) => author.account !== null)?.account;
  return account ? `${account.display_name || account.username} (@${account.acct})` : author_name;
}

/** The reasons for a missing quoted post: https://docs.joinmastodon.org/entities/Quote/#state */
const QUOTE_STATES: Record<NonNullable<Status['quote']>['state'], string> = {
  accepted: 'The quoted post is not shown.',
  pending: 'The author of the quoted post has not agreed yet.',
  rejected: 'The author of the quoted post did not agree.',
  revoked: 'The author of the quoted post took it back.',
  deleted: 'The quoted post was deleted.',
  unauthorized: 'The quoted post is not for everybody.',
  blocked_account: 'The quoted post is not shown.',
  blocked_domain: 'The quoted post is not shown.',
  muted_account: 'The quoted post is not shown.',
};

/** Returns the post that a post quotes, if it is shown. */
export const quotedIn = ({ quote }: Pick<Status, 'quote'>): Status | null =>
  quote && 'quoted_status' in quote ? quote.quoted_status : null;

/** `render` shows the quoted post. */
export function quoteOf(quote: NonNullable<Status['quote']>, render: (status: Status) => Html): Html {
  const quoted = quotedIn({ quote });
  return quoted
    ? html`<blockquote class="quote">${render(quoted)}</blockquote>`
    : html`<p class="quote quiet">${QUOTE_STATES[quote.state]}</p>`;
}
