import { LRUCache } from 'lru-cache';
import { contentJson, emojisJson, statusBody } from '#events/status-body.ts';
import type { StatusData } from '#events/statuses.ts';
import type { Instance } from '#kernel/context.ts';
import type { JsonPieces } from '#kernel/json-pieces.ts';
import { atMost } from '#kernel/lru.ts';
import { accountJson, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { type SharedRow, sharedStatus } from '../entities/shared-status.ts';
import { type OwnRow, statusJson, UNFILTERED } from '../entities/status.ts';
import type { PostingAuthor } from './posting-facts.ts';

const NONE: ReadonlyMap<string, string> = new Map();

/** The viewer's own part of a status that they did not interact with. */
const UNTOUCHED: Omit<OwnRow, 'id'> = {
  favourited: null,
  reblogged: null,
  bookmarked: null,
  muted: null,
  pinned: null,
  follows_author: null,
  poll: null,
  unwanted: null,
};

/**
 * Returns a new post as its author sees it: the result of `statusText`, without reading it back. `author` is
 * the account before the post. Undefined when more than the post and its author is needed: a parent, a quote,
 * a linked collection, a poll, filters.
 */
export function justPostedText(
  { instance }: { instance: Instance },
  { post, position }: { post: StatusData; position: bigint },
  author: PostingAuthor | undefined,
): JsonPieces | undefined {
  if (!author || author.filters) return undefined;
  if (post.in_reply_to_id !== null || post.quote || post.poll) return undefined;
  const row: SharedRow = {
    account_id: post.account_id,
    visibility: post.visibility,
    quote_policy: post.quote_policy,
    body: statusBody(post),
    content: contentJson(post),
    emojis: emojisJson(post),
    plain: '',
    card: null,
    card_author_id: null,
    sensitized: false,
    media_rejected: false,
    reblog_of_id: null,
    quote_id: null,
    quote_state: null,
    replies_count: 0,
    reblogs_count: 0,
    favourites_count: 0,
    quotes_count: 0,
  };
  const shared = sharedStatus(row, instance);
  if (shared.collection_ids.length > 0) return undefined;
  const status = {
    shared,
    account: fillOrigins(accountJson(withPost(author, post, position)), instance),
    own: { ...UNTOUCHED, id: post.id },
  };
  return statusJson(
    { status },
    { viewerId: post.account_id, instance, collections: NONE, authors: NONE },
    UNFILTERED,
  );
}

/** Direct messages are not counted (`projections/accounts/counter-handlers.ts`). */
function withPost(
  author: PostingAuthor,
  { visibility, created_at }: StatusData,
  position: bigint,
): AccountRow {
  const counted = visibility !== 'direct';
  const uncounted = uncountedPosts(author, position, counted);
  const day = created_at.slice(0, 10);
  const last = author.last_status_at ?? day;
  return {
    ...author,
    statuses_count: (author.statuses_count ?? 0) + uncounted,
    last_status_at: uncounted === 0 || last > day ? author.last_status_at : day,
  };
}

/** By author: the positions of posts whose reply was sent before the counters included them. */
const lately = new LRUCache<string, readonly bigint[]>(atMost(10_000));

/**
 * Returns the number of posts, up to and including this one, that the author's counters do not include yet.
 */
function uncountedPosts(author: PostingAuthor, position: bigint, counted: boolean): number {
  const since = BigInt(author.counted_to);
  const posts = (lately.get(author.account_id) ?? []).filter((each) => each > since);
  if (counted) posts.push(position);
  lately.set(author.account_id, posts);
  return posts.filter((each) => each <= position).length;
}
