import { listConversations } from './list.ts';

export {
  arrivedConversations,
  arrivedConversationText,
  releasedConversations,
  type ArrivedConversation,
} from './arrived.ts';
export { conversationSchema } from '#mastodon/schemas/index.ts';
export { conversationText, findConversation, type FoundConversation } from './find.ts';
export const conversationQueries = [listConversations];
