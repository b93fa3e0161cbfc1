import { readConversation } from './read.ts';
import { removeConversation } from './remove.ts';

export { conversation } from './conversation.ts';
export const conversationCommands = [readConversation, removeConversation];
