import type { Instance } from '#kernel/context.ts';
import type { JsonPiece } from '#kernel/json-pieces.ts';
import { splitAtCardAuthor } from './card-authors.ts';
import { linkedCollections } from './linked-collections.ts';
import type { QuotableRow, QuoteRow } from './quote.ts';
import { fillOrigins } from './ready-json.ts';
import { withoutMedia } from './rejected-media.ts';

export interface SharedRow extends QuoteRow, QuotableRow {
  /** Ready JSON without its braces. */
  body: string;
  content: string;
  plain: string;
  /** Ready JSON; null for none. */
  emojis: string | null;
  /** Ready JSON; null for none. */
  card: string | null;
  /** The account that is the author of the linked page. */
  card_author_id: string | null;
  sensitized: boolean;
  media_rejected: boolean;
  reblog_of_id: string | null;
  replies_count: number | null;
  reblogs_count: number | null;
  favourites_count: number | null;
  quotes_count: number | null;
}

/**
 * The part of a status that is the same for every viewer, and the facts that decide about the rest. It must
 * not depend on the viewer.
 */
export interface SharedStatus extends QuoteRow, QuotableRow {
  /** From the opening brace to the member `account`. */
  head: JsonPiece;
  /**
   * The same for the author, with the author's own choice, when staff marked all their posts as sensitive.
   */
  ownHead: JsonPiece | undefined;
  media_rejected: boolean;
  /** The members from `content` on, with the counters; only up to the author's account where the card has one. */
  content: JsonPiece;
  card_author: { id: string; rest: JsonPiece } | undefined;
  /** Only the counters: a reblog has the counters of the original post, but none of its texts. */
  counters: JsonPiece;
  plain: string;
  collection_ids: readonly string[];
  reblog_of_id: string | null;
}

/** Renders the part that is the same for every viewer. */
export function sharedStatus(row: SharedRow, instance: Instance): SharedStatus {
  const { plain, account_id, visibility, reblog_of_id, quote_id, quote_state, quote_policy } = row;
  const body = row.media_rejected ? withoutMedia(row.body) : row.body;
  const head = fillOrigins(`{${body},"account":`, instance);
  const counters = countersOf(row);
  const texts = fillOrigins(`${textsOf(row)},${counters}`, instance);
  const collection_ids = linkedCollections(texts, instance);
  const content = `,${texts}${collection_ids.length === 0 ? ',"tagged_collections":[]' : ''}`;
  const [before, rest] = splitAtCardAuthor(content, row.card_author_id);
  return {
    head: row.sensitized ? head.replace(NOT_SENSITIVE, '"sensitive":true') : head,
    ownHead: row.sensitized ? head : undefined,
    media_rejected: row.media_rejected,
    content: before,
    card_author: row.card_author_id === null ? undefined : { id: row.card_author_id, rest },
    counters,
    plain,
    collection_ids,
    account_id,
    visibility,
    reblog_of_id,
    quote_id,
    quote_state,
    quote_policy,
  };
}

/**
 * This member precedes all texts of users (`src/events/status-body.ts`), so the first match is the right one.
 */
const NOT_SENSITIVE = '"sensitive":false';

const textsOf = (row: SharedRow): string =>
  `"content":${row.content},"card":${row.card ?? 'null'},"emojis":${(row.media_rejected ? null : row.emojis) ?? '[]'}`;

const countersOf = (row: SharedRow): string =>
  `"replies_count":${Math.max(0, row.replies_count ?? 0)},"reblogs_count":${row.reblogs_count ?? 0},` +
  `"favourites_count":${row.favourites_count ?? 0},"quotes_count":${row.quotes_count ?? 0}`;
