import type { ConversationEvent } from '../../src/events/conversations.ts';
import type { Decider } from '../../src/kernel/decider.ts';

/** Stream `conversation-<id>-<account>`: the posts up to which its reader read and removed it; null for never. */
export interface Conversation {
  readUpTo: string | null;
  removedUpTo: string | null;
}

export const conversation: Decider<Conversation, ConversationEvent> = {
  initialState: { readUpTo: null, removedUpTo: null },
  evolve: (state, { type, data }) =>
    type === 'ConversationRead'
      ? { ...state, readUpTo: data.up_to_id }
      : { ...state, removedUpTo: data.up_to_id },
};
