import { z } from 'zod';
import { type Visibility, visibility } from '#events/accounts.ts';
import { quotePolicy } from '#events/statuses.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import { formList, namedId, orNothing } from '#kernel/input.ts';
import type { PostingFacts } from '#queries/statuses/index.ts';
import { contentInput } from './content.ts';
import { UnexpectedMentions } from './unexpected-mentions.ts';

export const postInput = z.object({
  ...contentInput,
  in_reply_to_id: orNothing(namedId).describe('The ID of the status that this one replies to.'),
  visibility: orNothing(visibility).describe(
    'Who sees the status; the default of the user where it is absent.',
  ),
  quoted_status_id: orNothing(namedId).describe('The ID of the status that this one quotes.'),
  quote_approval_policy: orNothing(quotePolicy).describe(
    'Who may quote the status; the default of the user where it is absent.',
  ),
  allowed_mentions: formList(1_000, 40).describe(
    'IDs of the accounts that the text may mention; any other mention is refused with 422.',
  ),
  scheduled_at: z
    .string()
    .max(100)
    .nullable()
    .optional()
    .describe('The time of publication in ISO 8601, more than five minutes from now; absent, it is now.'),
});
export type PostInput = z.infer<typeof postInput>;

/** The author, and the app; null on web pages. */
export interface Author {
  id: string;
  username: string;
  applicationId: string | null;
}

/** @throws UnexpectedMentions when `allowed_mentions` omits a mentioned account other than the author */
export function checkMentions(
  { allowed_mentions: allowed }: PostInput,
  mentions: readonly { id: string }[],
  authorId: string,
): void {
  if (allowed === undefined) return;
  const others = mentions.map(({ id }) => id).filter((id) => id !== authorId && !allowed.includes(id));
  if (others.length > 0) throw new UnexpectedMentions(others);
}

/**
 * @throws RookeryError `not_found` for a post that the author may not see or quote, `invalid` when
 * `allowed_mentions` omits a quoted user
 */
export function checkQuote(
  input: PostInput,
  { quoted }: PostingFacts,
  authorId: string,
  visibility: Visibility,
  mentions: readonly { id: string }[],
): void {
  if (input.quoted_status_id == null) return;
  if (!quoted?.allowed) {
    throw new RookeryError('not_found', 'The post you are trying to quote does not appear to exist.');
  }
  const told = quoted.account_id === authorId || mentions.some(({ id }) => id === quoted.account_id);
  if (visibility === 'direct' && !told) {
    throw invalid('Validation failed: Cannot quote a non-mentioned user in a Private Mention post.');
  }
}
