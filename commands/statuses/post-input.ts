import { z } from 'zod';
import { visibility } from '../../src/events/accounts.ts';
import { quotePolicy } from '../../src/events/statuses.ts';
import { formStringArray, namedId, orNothing } from '../../src/kernel/input.ts';
import { contentInput } from './content.ts';
import { UnexpectedMentions } from './unexpected-mentions.ts';

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

/** @throws UnexpectedMentions where `allowed_mentions` leaves out an account that is mentioned, other than the author */
export function checkMentions(
  { allowed_mentions: allowed }: PostInput,
  mentions: readonly { id: string }[],
  authorId: string,
): void {
  if (allowed === undefined) return;
  const others = mentions.map(({ id }) => id).filter((id) => id !== authorId && !allowed.includes(id));
  if (others.length > 0) throw new UnexpectedMentions(others);
}
