import { z } from 'zod';
import { findConversation } from '../../queries/conversations/index.ts';
import { conversationStream, type ConversationEvent } from '../../src/events/conversations.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { idParams } from '../../src/kernel/input.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { conversation, type Conversation } from './conversation.ts';

/** https://docs.joinmastodon.org/methods/conversations/#delete. The posts stay; only the reader's list changes. */
export const removeConversation = endpoint({
  method: 'DELETE',
  path: '/api/v1/conversations/:id',
  summary: 'Remove a conversation from your list',
  auth: 'user',
  scopes: ['write:conversations'],
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    const { newest_status_id } = await findConversation(ctx, id);
    const account_id = ctx.viewer.account_id;
    const seen = { conversation_id: id, account_id, up_to_id: newest_status_id };
    await ctx.execute(conversationStream(id, account_id), conversation, (state) => decideRemove(state, seen));
    await ctx.settle([MAIN]);
    return { json: {} };
  },
});

/** Pure. A post that came meanwhile keeps the conversation in the list. */
export const decideRemove = (
  { removedUpTo }: Conversation,
  seen: ConversationEvent['data'],
): ConversationEvent[] =>
  removedUpTo === seen.up_to_id ? [] : [{ type: 'ConversationRemoved', data: seen }];
