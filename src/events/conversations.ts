import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.ts';
import { id } from './common.ts';

/**
 * How one reader treated one conversation. Its id is the id of the post with which it began for this reader,
 * so other readers know their own conversation by the same id.
 */
export const conversationStream = (conversationId: string, accountId: string): string =>
  `conversation-${conversationId}-${accountId}`;

/** `up_to_id` is the post that had come last when the reader looked: what came later is still new. */
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

/** To come back to later, though it was read; until it is read, answered or removed. */
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
