import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { jsonArray } from '#kernel/json-pieces.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { conversationSchema } from '#mastodon/schemas/index.ts';
import { conversationsJson } from './render.ts';
import { CONVERSATION_COLUMNS, CONVERSATION_JOINS, type ConversationRow, shownTo } from './shown.ts';

const CONVERSATIONS = keysetStatement<ConversationRow>(
  'conversations',
  (order) => `
    select ${CONVERSATION_COLUMNS} from conversations c ${CONVERSATION_JOINS}
    where c.last_status_id < $2 and c.last_status_id > $3 and ${shownTo('$1')}
    order by c.last_status_id ${order} limit $4`,
);

/** Pages continue by the last post: https://docs.joinmastodon.org/methods/conversations/#get */
export const listConversations = endpoint({
  method: 'GET',
  path: '/api/v1/conversations',
  summary: 'View all conversations',
  auth: 'user',
  scopes: ['read:statuses'],
  query: z.object(pageParameters(20, 40)),
  reply: z.array(conversationSchema),
  handler: async (ctx, { query }) => {
    const idOf = ({ last_status_id }: ConversationRow): string => last_status_id;
    const { rows, page } = await readPage(ctx, CONVERSATIONS, query, idOf);
    return { text: jsonArray(await conversationsJson(ctx, rows)), page };
  },
});
