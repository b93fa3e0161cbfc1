import type { UserContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import type { JsonPieces } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import { conversationsJson } from './render.ts';
import { CONVERSATION_COLUMNS, CONVERSATION_JOINS, type ConversationRow, shownTo } from './shown.ts';

/** A conversation with its last post, also when that post is deleted and another one is shown. */
export interface FoundConversation extends ConversationRow {
  newest_status_id: string;
}

const FIND = statement<FoundConversation>(
  'conversation_find',
  `select ${CONVERSATION_COLUMNS}, c.newest_status_id from conversations c ${CONVERSATION_JOINS}
   where c.id = $2 and ${shownTo('$1')}`,
);

/** Throws RookeryError `not_found` for a conversation that is not in the viewer's list. */
export async function findConversation(ctx: UserContext, id: string): Promise<FoundConversation> {
  const [row] = await ctx.db.query(FIND, [ctx.viewer.account_id, id]);
  if (!row) throw notFound();
  return row;
}

/** Returns a conversation as JSON. @throws RookeryError `not_found` */
export async function conversationText(ctx: UserContext, id: string): Promise<JsonPieces> {
  const [conversation = []] = await conversationsJson(ctx, [await findConversation(ctx, id)]);
  return conversation;
}
