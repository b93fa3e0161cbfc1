import { z } from 'zod';
import { visibility } from './accounts.ts';
import { id, language, time, url } from './common.ts';
import { mediaAttachment } from './media-attachment.ts';
import { remoteEmojis } from './remote-emoji.ts';

/** The accounts that may quote without asking: https://docs.joinmastodon.org/entities/QuoteApproval/ */
export const quotePolicy = z.enum(['public', 'followers', 'nobody']);
export type QuotePolicy = z.infer<typeof quotePolicy>;

/** The maximum of accounts that are fetched later for one post. Further mentions stay unresolved. */
export const MAX_UNRESOLVED_MENTIONS = 50;

export const mention = z.object({ id, username: z.string().max(2_048), acct: z.string().max(2_400), url });
const application = z.object({ id, name: z.string().max(60), website: z.string().max(2_000).nullable() });

/**
 * The question of a poll; votes are events of their own. Without an end it stays open, which some servers
 * allow.
 */
export const pollQuestion = z.object({
  /** Votes count for this id alone: an edit of the options makes another id, which drops earlier votes. */
  id,
  /** The id that clients know the poll by, which outlasts edits; absent where it is `id`. */
  public_id: id.optional(),
  options: z.array(z.string().max(5_000)).max(500),
  multiple: z.boolean(),
  /** Shows counts only after the end. */
  hide_totals: z.boolean(),
  expires_at: time.nullable(),
});
export type PollQuestion = z.infer<typeof pollQuestion>;

/** The editable content of a post. */
export const statusContent = z.object({
  /** The text that the author typed; null for a remote post. */
  text: z.string().max(100_000).nullable(),
  /** The post as HTML. */
  content: z.string().max(500_000),
  spoiler_text: z.string().max(100_000),
  sensitive: z.boolean(),
  language: language.nullable(),
  mentions: z.array(mention).max(1_000),
  /** As written; timelines compare the normal form. */
  tags: z.array(z.object({ name: z.string().max(500), normal: z.string().max(500) })).max(1_000),
  media: z.array(mediaAttachment).max(16),
  poll: pollQuestion.nullable(),
  /** The custom emojis of a remote post. Absent for none, and in local posts, because local emojis change. */
  emojis: remoteEmojis.optional(),
  /**
   * The URIs of mentioned accounts that could not be fetched immediately; in local posts, handles as `acct:` URIs.
   * `MentionsResolved` adds them.
   */
  unresolved_mentions: z.array(url).max(MAX_UNRESOLVED_MENTIONS).optional(),
  /** The page that the author of a remote post chose for its card; empty after an erasure. */
  linked_page: url.or(z.literal('')).optional(),
});
export type StatusContent = z.infer<typeof statusContent>;

/** A post: its content and its fixed members. */
export const statusData = statusContent.extend({
  id,
  account_id: id,
  /** False for a remote post. */
  local: z.boolean(),
  uri: url,
  url: url.nullable(),
  created_at: time,
  visibility,
  in_reply_to_id: id.nullable(),
  in_reply_to_account_id: id.nullable(),
  /** The first post of the thread; a post that begins a thread has its own id here. */
  conversation_id: id,
  /** The quoted post. Its author's policy was checked before this was stored. */
  quote: z.object({ id, account_id: id, state: z.enum(['pending', 'accepted']) }).nullable(),
  quote_policy: quotePolicy,
  application: application.nullable(),
});
export type StatusData = z.infer<typeof statusData>;
