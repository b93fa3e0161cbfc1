import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { type DecideSeen, decideSeen } from './seen.ts';

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
    await decideSeen(ctx, id, decideRemove);
    return { json: {} };
  },
});

/** A post that arrived meanwhile keeps the conversation in the list. Pure. */
export const decideRemove: DecideSeen = ({ removedUpTo }, seen) =>
  removedUpTo === seen.up_to_id ? [] : [{ type: 'ConversationRemoved', data: seen }];
