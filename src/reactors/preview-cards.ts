import type { FoundCard } from '#adapters/preview-cards/describe.ts';
import { fetchCard } from '#adapters/preview-cards/fetch-card.ts';
import { pageOfCard } from '#adapters/preview-cards/first-link.ts';
import { RememberedCards } from '#adapters/preview-cards/remembered.ts';
import { attachCard, CardAuthors } from '#commands/statuses/index.ts';
import type { PreviewCardData } from '#events/preview-card.ts';
import { StatusCreated, StatusEdited } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import { reactor } from '#kernel/reactor.ts';
import { mayLink } from '#mastodon/html.ts';

const remembered = new RememberedCards();
const authors = new CardAuthors();

/** Fetches the page that a post links to, and attaches a preview card to the post. */
export const previewCards = reactor({
  name: 'preview-cards',
  on: [StatusCreated, StatusEdited],
  // The edited post may have had a link before.
  ignores: ({ type, data }) => type === 'StatusCreated' && !data.linked_page && !mayLink(data.content),
  concurrency: 8,
  outside: 256,
  // An account here, or another server, whose accounts cost it nothing.
  owner: ({ data }) => (data.local ? data.account_id : (URL.parse(data.uri)?.host ?? '')),
  perOwner: 8,
  // A page, its description and its picture, at most ten seconds each.
  deadline: 60_000,
  react: async (ctx, { type, data }, { signal }) => {
    const link = pageOfCard(data, ctx.instance.origin);
    if (link === undefined) {
      if (type === 'StatusEdited') await attachCard(ctx, { id: data.id, content: data.content, card: null });
      return;
    }
    const { http, remoteMedia } = ctx.services;
    const found = await remembered.get(ctx.db, link, (url) => fetchCard(url, { http, remoteMedia, signal }));
    const card = found ? await withAuthor(ctx, found) : null;
    await attachCard(ctx, { id: data.id, content: data.content, card });
  },
});

/** The author is looked for anew for each post, because accounts may allow a host later. */
async function withAuthor(ctx: CommandContext, { creator, ...card }: FoundCard): Promise<PreviewCardData> {
  const author = creator === undefined ? undefined : await authors.find(ctx, { url: card.url, creator });
  return author === undefined ? card : { ...card, author_account_id: author };
}
