import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id } from './common.ts';

/**
 * One reader's view of one conversation. Its id is that of the first post for this reader, so other readers
 * may know the conversation by another id.
 */
export const conversationStream = (conversationId: string, accountId: string): string =>
  `conversation-${conversationId}-${accountId}`;

/** `up_to_id` is the last post when the reader looked; later posts are still new. */
const seen = { conversation_id: id, account_id: id, up_to_id: id };
const sample = {
  conversation_id: '115500000000000000',
  account_id: '109500000000000000',
  up_to_id: '115500000000000007',
};

export const ConversationRead = defineEvent({
  type: 'ConversationRead',
  version: 1,
  schema: z.object(seen),
  samples: { 1: sample },
});

/** The reader wants to come back to it, until it is read, answered or removed. */
export const ConversationMarkedUnread = defineEvent({
  type: 'ConversationMarkedUnread',
  version: 1,
  schema: z.object(seen),
  samples: { 1: sample },
});

/** The conversation leaves the reader's list until the next post in it. */
export const ConversationRemoved = defineEvent({
  type: 'ConversationRemoved',
  version: 1,
  schema: z.object(seen),
  samples: { 1: sample },
});

export const conversationEvents = [ConversationRead, ConversationMarkedUnread, ConversationRemoved];
export type ConversationEvent = EventOf<(typeof conversationEvents)[number]>;
