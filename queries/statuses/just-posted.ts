import { contentJson, emojisJson, statusBody } from '../../src/events/status-body.ts';
import type { StatusData } from '../../src/events/statuses.ts';
import type { Instance } from '../../src/kernel/context.ts';
import type { AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { statusJson, UNFILTERED } from '../entities/status.ts';
import type { PostingAuthor } from './posting-facts.ts';

/**
 * A post as its author sees it when it is there, as ready JSON: what `statusText` would read back, but without reading.
 * `author` is the account as it was before. Undefined where more counts than the post and its author: what it answers or quotes,
 * a poll, filters.
 */
export function justPostedText(
  { instance }: { instance: Instance },
  post: StatusData,
  author: PostingAuthor | undefined,
): string | undefined {
  if (!author || author.filters) return undefined;
  if (post.in_reply_to_id !== null || post.quote || post.poll) return undefined;
  const status = {
    ...withPost(author, post),
    id: post.id,
    body: statusBody(post),
    content: contentJson(post),
    emojis: emojisJson(post),
    card: null,
    visibility: post.visibility,
    reblog_of_id: null,
    quote_id: null,
    quote_state: null,
    quote_policy: post.quote_policy,
    ...{ replies_count: 0, reblogs_count: 0, favourites_count: 0, quotes_count: 0 },
    ...{ favourited: false, reblogged: false, bookmarked: false, muted: false, pinned: false },
    follows_author: false,
    poll: null,
    unwanted: null,
  };
  return fillOrigins(statusJson({ status }, post.account_id, UNFILTERED), instance);
}

/** Direct messages are not counted (`projections/accounts/counter-handlers.ts`). */
function withPost(author: AccountRow, { visibility, created_at }: StatusData): AccountRow {
  if (visibility === 'direct') return author;
  const day = created_at.slice(0, 10);
  const last = author.last_status_at ?? day;
  return {
    ...author,
    statuses_count: (author.statuses_count ?? 0) + 1,
    last_status_at: last > day ? last : day,
  };
}
