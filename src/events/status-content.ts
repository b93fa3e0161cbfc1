import { z } from 'zod';
import { visibility } from './accounts.ts';
import { id, language, time, url } from './common.ts';
import { mediaAttachment } from './media-attachment.ts';
import { remoteEmojis } from './remote-emoji.ts';

/** The accounts that may quote without asking: https://docs.joinmastodon.org/entities/QuoteApproval/ */
export const quotePolicy = z.enum(['public', 'followers', 'nobody']);
export type QuotePolicy = z.infer<typeof quotePolicy>;

/** Accounts of one post that are asked for after it came; what it mentions beyond them stays unknown. */
export const MAX_UNRESOLVED_MENTIONS = 50;

export const mention = z.object({ id, username: z.string().max(2_048), acct: z.string().max(2_400), url });
const application = z.object({ id, name: z.string().max(60), website: z.string().max(2_000).nullable() });

/** A poll as it is asked; votes are events of their own. Without an end it stays open, as some servers allow. */
export const pollQuestion = z.object({
  /** Votes count for this id alone: an edit that asks something else gives another one, so earlier votes stay behind. */
  id,
  /** The id that clients know the poll by, which outlasts edits; absent where it is `id`. */
  public_id: id.optional(),
  options: z.array(z.string().max(5_000)).max(500),
  multiple: z.boolean(),
  /** Counts are shown only when it is over. */
  hide_totals: z.boolean(),
  expires_at: time.nullable(),
});
export type PollQuestion = z.infer<typeof pollQuestion>;

/** Everything that a post says, as far as it can be edited. */
export const statusContent = z.object({
  /** The text that the author typed; null for a remote post. */
  text: z.string().max(100_000).nullable(),
  /** The post as HTML. */
  content: z.string().max(500_000),
  spoiler_text: z.string().max(100_000),
  sensitive: z.boolean(),
  language: language.nullable(),
  mentions: z.array(mention).max(1_000),
  /** As written; their normal form is what timelines compare. */
  tags: z.array(z.object({ name: z.string().max(500), normal: z.string().max(500) })).max(1_000),
  media: z.array(mediaAttachment).max(16),
  poll: pollQuestion.nullable(),
  /** The custom emojis of a remote post. Absent for none, and in local posts, because local emojis change. */
  emojis: remoteEmojis.optional(),
  /** The URIs of mentioned accounts that could not be fetched at once. `MentionsResolved` adds them. */
  unresolved_mentions: z.array(url).max(MAX_UNRESOLVED_MENTIONS).optional(),
});
export type StatusContent = z.infer<typeof statusContent>;

/** A post: its content and what never changes. */
export const statusData = statusContent.extend({
  id,
  account_id: id,
  /** False for a post that came over federation. */
  local: z.boolean(),
  uri: url,
  url: url.nullable(),
  created_at: time,
  visibility,
  in_reply_to_id: id.nullable(),
  in_reply_to_account_id: id.nullable(),
  /** The first post of the thread; its own id for one that begins a thread. */
  conversation_id: id,
  /** The quoted post. The policy of its author was checked when this was written. */
  quote: z.object({ id, account_id: id, state: z.enum(['pending', 'accepted']) }).nullable(),
  quote_policy: quotePolicy,
  application: application.nullable(),
});
export type StatusData = z.infer<typeof statusData>;
