import { attachCard } from '../../commands/statuses/index.ts';
import { fetchCard } from '../adapters/preview-cards/fetch-card.ts';
import { pageOfCard } from '../adapters/preview-cards/first-link.ts';
import { RememberedCards } from '../adapters/preview-cards/remembered.ts';
import { StatusCreated, StatusEdited } from '../events/statuses.ts';
import { mayLink } from '../mastodon/html.ts';
import { reactor } from '../kernel/reactor.ts';

const remembered = new RememberedCards();

/** Fetches the page that a post links to, and attaches a preview card to the post. */
export const previewCards = reactor({
  name: 'preview-cards',
  on: [StatusCreated, StatusEdited],
  // The edited post may have had a link before.
  ignores: ({ type, data }) => type === 'StatusCreated' && !data.linked_page && !mayLink(data.content),
  concurrency: 8,
  // A page, its description and its picture, at most ten seconds each.
  deadline: 60_000,
  react: async (ctx, { type, data }, { signal }) => {
    const link = pageOfCard(data, ctx.instance.origin);
    if (link === undefined) {
      if (type === 'StatusEdited') await attachCard(ctx, { id: data.id, content: data.content, card: null });
      return;
    }
    const { http, remoteMedia } = ctx.services;
    const card = await remembered.get(ctx.db, link, (url) => fetchCard(url, { http, remoteMedia, signal }));
    await attachCard(ctx, { id: data.id, content: data.content, card: card ?? null });
  },
});
