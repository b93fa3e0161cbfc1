import type { ConversationEvent } from '#events/conversations.ts';
import type { Decider } from '#kernel/decider.ts';

/**
 * Stream `conversation-<id>-<account>`: the posts up to which its reader read and removed it; null for never,
 * or unread again.
 */
export interface Conversation {
  readUpTo: string | null;
  /** The last post when the reader marked it as unread; null when it no longer is. */
  unreadUpTo: string | null;
  removedUpTo: string | null;
}

export const conversation: Decider<Conversation, ConversationEvent> = {
  initialState: { readUpTo: null, unreadUpTo: null, removedUpTo: null },
  evolve(state, { type, data }) {
    switch (type) {
      case 'ConversationRead':
        return { ...state, readUpTo: data.up_to_id, unreadUpTo: null };
      case 'ConversationMarkedUnread':
        return { ...state, readUpTo: null, unreadUpTo: data.up_to_id };
      case 'ConversationRemoved':
        return { ...state, unreadUpTo: null, removedUpTo: data.up_to_id };
    }
  },
};
