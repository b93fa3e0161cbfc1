import { readConversation } from './read.ts';
import { removeConversation } from './remove.ts';
import { markConversationUnread } from './unread.ts';

export { conversation } from './conversation.ts';
export const conversationCommands = [readConversation, markConversationUnread, removeConversation];
