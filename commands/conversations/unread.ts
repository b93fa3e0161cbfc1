import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { conversationSchema, conversationText } from '#queries/conversations/index.ts';
import { type DecideSeen, decideSeen } from './seen.ts';

/** Undocumented; the package masto calls it. https://github.com/mastodon/mastodon/pull/25509 */
export const markConversationUnread = endpoint({
  method: 'POST',
  path: '/api/v1/conversations/:id/unread',
  summary: 'Mark a conversation as unread',
  auth: 'user',
  scopes: ['write:conversations'],
  params: idParams,
  reply: conversationSchema,
  handler: async (ctx, { params: { id } }) => {
    await decideSeen(ctx, id, decideUnread, { unread: false });
    return { text: await conversationText(ctx, id) };
  },
});

/** Pure. */
export const decideUnread: DecideSeen = ({ unreadUpTo }, seen) =>
  unreadUpTo === seen.up_to_id ? [] : [{ type: 'ConversationMarkedUnread', data: seen }];
