import type { UserContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import type { JsonPieces } from '#kernel/json-pieces.ts';
import { type Db, statement } from '#kernel/read.ts';
import { conversationsJson } from './render.ts';
import { CONVERSATION_COLUMNS, CONVERSATION_JOINS, type ConversationRow, shownTo } from './shown.ts';

/** A conversation that a post arrived in, for one of its participants, before it is rendered. */
export interface ArrivedConversation extends ConversationRow {
  reader_id: Id;
  /** The id of the post. */
  message_id: Id;
}

const ARRIVED = statement<ArrivedConversation>(
  'conversations_arrived',
  `select m.account_id as reader_id, m.status_id as message_id, ${CONVERSATION_COLUMNS}
   from conversation_messages m join conversations c on c.account_id = m.account_id and c.id = m.conversation_id
   ${CONVERSATION_JOINS}
   where m.status_id = any($1::bigint[]) and m.account_id = any($2::bigint[]) and ${shownTo('m.account_id')}`,
);

/** Returns the conversations of some direct posts for some viewers, in one statement. */
export const arrivedConversations = (
  db: Db,
  statusIds: readonly Id[],
  readers: readonly Id[],
): Promise<ArrivedConversation[]> => db.query(ARRIVED, [statusIds, readers]);

/** At most 40 for each viewer; their last event is the one that released them. */
const RELEASED = statement<ArrivedConversation & { position: string }>(
  'conversations_released',
  `select l.*, n.reader_id, n.position
   from unnest($1::bigint[], $2::bigint[]) as n (reader_id, position)
   cross join lateral (
     select c.last_status_id as message_id, ${CONVERSATION_COLUMNS}
     from conversations c ${CONVERSATION_JOINS}
     where c.heard_position = n.position and ${shownTo('n.reader_id')}
     order by c.last_status_id desc limit 40) l`,
);

/**
 * Returns the conversations that viewers received by events at these positions, which accepted an account; in
 * one statement.
 */
export async function releasedConversations(
  db: Db,
  readers: readonly { readerId: Id; position: bigint }[],
): Promise<(ArrivedConversation & { position: bigint })[]> {
  const rows = await db.query(RELEASED, [
    readers.map(({ readerId }) => readerId),
    readers.map(({ position }) => String(position)),
  ]);
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

/** Returns one of them as JSON, for its viewer. */
export async function arrivedConversationText(
  ctx: UserContext,
  arrived: ArrivedConversation,
): Promise<JsonPieces | undefined> {
  const [text] = await conversationsJson(ctx, [arrived]);
  return text;
}
