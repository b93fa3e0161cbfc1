import { findConversation, conversationSchema, conversationText } from '../../queries/conversations/index.ts';
import { conversationStream, type ConversationEvent } from '../../src/events/conversations.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { idParams } from '../../src/kernel/input.ts';
import { conversation, type Conversation } from './conversation.ts';

/** https://docs.joinmastodon.org/methods/conversations/#read */
export const readConversation = endpoint({
  method: 'POST',
  path: '/api/v1/conversations/:id/read',
  summary: 'Mark a conversation as read',
  auth: 'user',
  scopes: ['write:conversations'],
  params: idParams,
  reply: conversationSchema,
  handler: async (ctx, { params: { id } }) => {
    const { unread, newest_status_id } = await findConversation(ctx, id);
    if (unread) {
      const account_id = ctx.viewer.account_id;
      const seen = { conversation_id: id, account_id, up_to_id: newest_status_id };
      await ctx.execute(conversationStream(id, account_id), conversation, (state) => decideRead(state, seen));
    }
    return { text: await conversationText(ctx, id) };
  },
});

/** Pure. What came after the post that the reader saw stays unread. */
export const decideRead = (
  { readUpTo }: Conversation,
  seen: ConversationEvent['data'],
): ConversationEvent[] => (readUpTo === seen.up_to_id ? [] : [{ type: 'ConversationRead', data: seen }]);
