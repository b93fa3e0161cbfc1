import { ConversationMarkedUnread, ConversationRead, ConversationRemoved } from '#events/conversations.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { AccountBlocked, AccountMuted, AccountUnblocked, AccountUnmuted } from '#events/relationships.ts';
import { StatusCreated, StatusDeleted, StatusEdited } from '#events/statuses.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { keysOfMessage, placeMessages } from './messages.ts';
import { policyHandlers } from './policy.ts';
import { silence, unsilence } from './silences.ts';
import {
  CONVERSATIONS,
  FOLLOWS,
  handlerIndexes,
  MENTIONS,
  MESSAGES,
  PEOPLE,
  PERMISSIONS,
  SILENCES,
  tables,
  WITHHELD,
} from './tables.ts';

/** Finds the last visible post, and the last post by another author, of conversations that lost a post. */
const DELETE = statement<Row>(
  'conversation_messages_delete',
  `with gone as (
     update conversation_messages set deleted = true where status_id = any($1) returning account_id, conversation_id
   )
   select distinct account_id, conversation_id from gone`,
);
const FORGET = [WITHHELD.remove('status_id'), MENTIONS.remove('status_id')];
const LOOK_BACK = statement(
  'conversations_look_back',
  `update conversations c set
     last_status_id = (select m.status_id from conversation_messages m
       where m.account_id = c.account_id and m.conversation_id = c.id and not m.deleted
         and (c.removed_position is null or m.position > c.removed_position)
       order by m.status_id desc limit 1),
     heard_position = (select max(m.position) from conversation_messages m
       where m.account_id = c.account_id and m.conversation_id = c.id and not m.deleted and not m.own)
   from unnest($1::bigint[], $2::bigint[]) as n (account_id, id)
   where c.account_id = n.account_id and c.id = n.id`,
);
/** The event of the last post that a participant saw in a conversation. */
const SEEN = `select n.account_id, n.id, max(m.position) as position
   from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as n (account_id, id, up_to)
   join conversation_messages m on m.status_id = n.up_to and m.account_id = n.account_id
   group by n.account_id, n.id`;
const READ = statement(
  'conversations_read',
  `update conversations c set read_position = greatest(c.read_position, n.position), marked_unread = false
   from (${SEEN}) n where c.account_id = n.account_id and c.id = n.id`,
);
const MARK_UNREAD = statement(
  'conversations_mark_unread',
  `update conversations c set marked_unread = true from unnest($1::bigint[], $2::bigint[]) as n (account_id, id)
   where c.account_id = n.account_id and c.id = n.id`,
);
const REMOVE = statement(
  'conversations_remove',
  `update conversations c set removed_position = greatest(c.removed_position, n.position), marked_unread = false
   from (${SEEN}) n where c.account_id = n.account_id and c.id = n.id`,
);

type Row = { account_id: string; conversation_id: string };
const columns = (rows: readonly Row[]): unknown[][] => [
  rows.map(({ account_id }) => account_id),
  rows.map(({ conversation_id }) => conversation_id),
];
const byReader = ({ data }: { data: { account_id: string } }): string[] => [`reader ${data.account_id}`];

/**
 * Direct posts for each local participant: one row for each participant, thread and circle of participants,
 * like Mastodon's AccountConversation. Posts that the participant's policy filters stay out until they accept
 * the author. A row without visible posts stays, so that the id stays.
 */
export const conversations: Projection = {
  name: 'conversations',
  version: 6,
  group: MAIN,
  tables,
  handlerIndexes,
  indexes: [],
  handlers: [
    // Additive, so that posts to one participant share a run; within it they keep their order.
    on(StatusCreated, { keys: keysOfMessage, additive: true, apply: placeMessages }),
    // An account first mentioned in an edit has the post from then on; no account loses it.
    on(StatusEdited, { keys: keysOfMessage, apply: placeMessages }),
    on(StatusDeleted, {
      keys: ({ data }) => [`status ${data.id}`],
      apply: async (events, db) => {
        const direct = events.filter(({ data }) => data.visibility === 'direct');
        if (direct.length === 0) return;
        const ids = direct.map(({ data }) => data.id);
        const gone = ids.map((status_id) => ({ status_id }));
        await Promise.all(FORGET.map((forget) => forget(gone, db)));
        const rows = await db.query(DELETE, [ids]);
        await db.query(LOOK_BACK, columns(rows));
      },
    }),
    on(ConversationRead, {
      keys: byReader,
      additive: true,
      apply: async (events, db) => {
        const seen = events.map(({ data }) => data);
        await db.query(READ, [...columns(seen), seen.map(({ up_to_id }) => up_to_id)]);
      },
    }),
    on(ConversationMarkedUnread, {
      keys: byReader,
      additive: true,
      apply: async (events, db) => {
        await db.query(MARK_UNREAD, columns(events.map(({ data }) => data)));
      },
    }),
    on(ConversationRemoved, {
      keys: byReader,
      additive: true,
      apply: async (events, db) => {
        const seen = events.map(({ data }) => data);
        await db.query(REMOVE, [...columns(seen), seen.map(({ up_to_id }) => up_to_id)]);
        await db.query(LOOK_BACK, columns(seen));
      },
    }),
    on(AccountBlocked, {
      keys: byReader,
      apply: (events, db) =>
        silence(
          events.map((event) => ({ ...event, expires_at: null })),
          true,
          db,
        ),
    }),
    on(AccountMuted, {
      keys: byReader,
      apply: (events, db) =>
        silence(
          events.map((event) => ({ ...event, expires_at: event.data.expires_at })),
          false,
          db,
        ),
    }),
    on(AccountUnblocked, { keys: byReader, apply: (events, db) => unsilence(events, true, db) }),
    ...policyHandlers,
    on(AccountUnmuted, { keys: byReader, apply: (events, db) => unsilence(events, false, db) }),
    onAccounts(
      PersonalDataErased,
      ...[CONVERSATIONS, MESSAGES, SILENCES, WITHHELD, PEOPLE, FOLLOWS, PERMISSIONS].map(deleteRowsOf),
    ),
  ],
};
