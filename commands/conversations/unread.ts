import { findConversation, conversationSchema, conversationText } from '../../queries/conversations/index.ts';
import { conversationStream, type ConversationEvent } from '../../src/events/conversations.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { idParams } from '../../src/kernel/input.ts';
import { conversation, type Conversation } from './conversation.ts';

/** Not in the documentation; the package masto has it. https://github.com/mastodon/mastodon/pull/25509 */
export const markConversationUnread = endpoint({
  method: 'POST',
  path: '/api/v1/conversations/:id/unread',
  summary: 'Mark a conversation as unread',
  auth: 'user',
  scopes: ['write:conversations'],
  params: idParams,
  reply: conversationSchema,
  handler: async (ctx, { params: { id } }) => {
    const { unread, newest_status_id } = await findConversation(ctx, id);
    if (!unread) {
      const account_id = ctx.viewer.account_id;
      const seen = { conversation_id: id, account_id, up_to_id: newest_status_id };
      await ctx.execute(conversationStream(id, account_id), conversation, (state) =>
        decideUnread(state, seen),
      );
    }
    return { text: await conversationText(ctx, id) };
  },
});

/** Pure. */
export const decideUnread = (
  { unreadUpTo }: Conversation,
  seen: ConversationEvent['data'],
): ConversationEvent[] =>
  unreadUpTo === seen.up_to_id ? [] : [{ type: 'ConversationMarkedUnread', data: seen }];
