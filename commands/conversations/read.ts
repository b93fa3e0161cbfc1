import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { conversationSchema, conversationText } from '#queries/conversations/index.ts';
import { type DecideSeen, decideSeen } from './seen.ts';

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
    await decideSeen(ctx, id, decideRead, { unread: true });
    return { text: await conversationText(ctx, id) };
  },
});

/** Posts after the last one that the reader saw stay unread. Pure. */
export const decideRead: DecideSeen = ({ readUpTo }, seen) =>
  readUpTo === seen.up_to_id ? [] : [{ type: 'ConversationRead', data: seen }];
