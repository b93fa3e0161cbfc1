import { type ConversationEvent, conversationStream } from '#events/conversations.ts';
import type { UserContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { findConversation } from '#queries/conversations/index.ts';
import { type Conversation, conversation } from './conversation.ts';

/** The part of a conversation that a reader has seen: up to its newest post at the time. */
export type Seen = ConversationEvent['data'];
export type DecideSeen = (state: Conversation, seen: Seen) => ConversationEvent[];

/**
 * Decides about the part of the conversation that its reader has seen.
 * @param only restricts the decision to unread or to read conversations; without it, always decides
 * @throws RookeryError `not_found`
 */
export async function decideSeen(
  ctx: UserContext,
  id: Id,
  decide: DecideSeen,
  only?: { unread: boolean },
): Promise<void> {
  const { unread, newest_status_id } = await findConversation(ctx, id);
  if (only && only.unread !== unread) return;
  const account_id = ctx.viewer.account_id;
  const seen = { conversation_id: id, account_id, up_to_id: newest_status_id };
  await ctx.execute(conversationStream(id, account_id), conversation, (state) => decide(state, seen));
}
