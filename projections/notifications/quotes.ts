import { QuoteAccepted, QuoteRevoked } from '#events/quotes.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { type Arrival, arrive } from './arrivals.ts';
import type { Created } from './mentions.ts';
import { QUOTES } from './tables.ts';

/** The key of the quotes that edits notify: a deletion does not name the post that the deleted one quotes. */
export const QUOTES_KEY = 'quotes';

const REMEMBER = QUOTES.insert();
/** Quotes of earlier posts. */
export const quoteHandlers: readonly BoundHandler[] = [
  // A quote of an earlier post, whose author had to approve it.
  on(QuoteAccepted, {
    keys: ({ data }) => [data.id, data.account_id, data.quoted_id, data.quoted_account_id],
    apply: async (events, db) => {
      const ours = events.flatMap(({ data }) => (data.local ? [data] : []));
      await Promise.all([
        arrive(
          events.map(({ data, metadata: { time: at }, position }) =>
            quoteArrival(data.quoted_account_id, data, { id: data.accept_id, at, position }),
          ),
          db,
        ),
        rememberQuotes(ours, db),
      ]);
    },
  }),
  on(QuoteRevoked, {
    keys: ({ data }) => [data.id, data.quoted_id],
    apply: QUOTES.remove('status_id').each(({ data }) => ({ status_id: data.id })),
  }),
];

/** The arrivals at authors whom a new post quotes. */
export function quoteArrivals({ data, metadata, position }: Created): Arrival[] {
  if (data.quote?.state !== 'accepted') return [];
  return [quoteArrival(data.quote.account_id, data, { id: data.id, at: metadata.time, position })];
}

/** `quoting` is the quoting post, by its author. */
const quoteArrival = (
  quotedAccountId: string,
  quoting: { id: string; account_id: string },
  { id, at, position }: { id: string; at: string; position: bigint },
): Arrival => ({
  account_id: quotedAccountId,
  id,
  type: 'quote',
  from_account_id: quoting.account_id,
  status_id: quoting.id,
  created_at: at,
  private_thread: null,
  position,
});

/** Returns the quotes in local posts. */
export const quotesOf = (events: readonly Created[]): Quote[] =>
  events.flatMap(({ data: { id, account_id, local, quote } }) =>
    local && quote?.state === 'accepted' ? [{ id, account_id, quoted_id: quote.id }] : [],
  );

interface Quote {
  id: string;
  account_id: string;
  quoted_id: string;
}

/** Stores the quotes in local posts. */
export async function rememberQuotes(quotes: readonly Quote[], db: Db): Promise<void> {
  await REMEMBER(
    quotes.map(({ id, ...quote }) => ({ ...quote, status_id: id })),
    db,
  );
}
