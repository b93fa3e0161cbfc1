import { z } from 'zod';
import { visibility } from '../../src/events/accounts.ts';
import { quotePolicy } from '../../src/events/statuses.ts';
import { invalid } from '../../src/kernel/errors.ts';
import { formStringArray, namedId, orNothing } from '../../src/kernel/input.ts';
import { contentInput } from './content.ts';

export const postInput = z.object({
  ...contentInput,
  in_reply_to_id: orNothing(namedId),
  visibility: orNothing(visibility),
  quoted_status_id: orNothing(namedId),
  quote_approval_policy: orNothing(quotePolicy),
  /** Account ids: when given, the post may notify nobody else. */
  allowed_mentions: formStringArray(1_000, 40).optional(),
  scheduled_at: z.string().max(100).nullable().optional(),
});
export type PostInput = z.infer<typeof postInput>;

/** Who posts, with which app. */
export interface Author {
  id: string;
  username: string;
  applicationId: string;
}

/** @throws RookeryError `invalid` when somebody is mentioned who was not meant to be */
export function checkMentions(
  { allowed_mentions: allowed }: PostInput,
  mentions: readonly { id: string; acct: string }[],
  authorId: string,
): void {
  if (allowed === undefined) return;
  const others = mentions.filter(({ id }) => id !== authorId && !allowed.includes(id));
  if (others.length > 0) {
    throw invalid(`Validation failed: Unexpected mentions: ${others.map(({ acct }) => acct).join(', ')}`);
  }
}
