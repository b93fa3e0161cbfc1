import { PersonalDataErased } from '#events/erasure.ts';
import {
  FavouriteRequested,
  FavouriteRequestEnded,
  ReblogRequested,
  ReblogRequestEnded,
  StatusBookmarked,
  StatusFavourited,
  StatusReblogged,
  StatusUnbookmarked,
  StatusUnfavourited,
  StatusUnreblogged,
  ThreadMuted,
  ThreadUnmuted,
} from '#events/interactions.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { deleteRowsOf, type Handler, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

type Column = 'favourite_id' | 'bookmark_id' | 'reblog_id' | 'favourite_request_id' | 'reblog_request_id';
/** An accepted request becomes an interaction. */
const REQUESTS: Partial<Record<Column, Column>> = {
  favourite_id: 'favourite_request_id',
  reblog_id: 'reblog_request_id',
};
interface Pair {
  account_id: string;
  status_id: string;
}

const setColumn = (column: Column) =>
  statement(
    `interactions_set_${column}`,
    `insert into interactions (account_id, status_id, ${column})
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])
     on conflict (account_id, status_id) do update set ${column} = excluded.${column}${
       REQUESTS[column] === undefined ? '' : `, ${REQUESTS[column]} = null`
     }`,
  );
const clearColumn = (column: Column) =>
  statement(
    `interactions_clear_${column}`,
    `update interactions i set ${column} = null from unnest($1::bigint[], $2::bigint[]) as n (account_id, status_id)
     where i.account_id = n.account_id and i.status_id = n.status_id`,
  );
const MUTE = statement(
  'thread_mutes_insert',
  `insert into thread_mutes (account_id, conversation_id) select * from unnest($1::bigint[], $2::bigint[])`,
);
const UNMUTE = statement(
  'thread_mutes_delete',
  `delete from thread_mutes t using unnest($1::bigint[], $2::bigint[]) as n (account_id, conversation_id)
   where t.account_id = n.account_id and t.conversation_id = n.conversation_id`,
);

/** Events of different pairs of account and post are independent. */
const keys = ({ data }: { data: Pair }): string[] => [`${data.account_id} ${data.status_id}`];
const pairsOf = (events: readonly { data: Pair }[]): unknown[][] => [
  events.map(({ data }) => data.account_id),
  events.map(({ data }) => data.status_id),
];

const sets = (column: Column): Handler<RecordedEvent<string, Pair & { id: string }>> => {
  const set = setColumn(column);
  return {
    keys,
    apply: async (events, db) => {
      await db.query(set, [...pairsOf(events), events.map(({ data }) => data.id)]);
    },
  };
};
const clears = (column: Column): Handler<RecordedEvent<string, Pair>> => {
  const clear = clearColumn(column);
  return {
    keys,
    apply: async (events, db) => {
      await db.query(clear, pairsOf(events));
    },
  };
};

const threadKeys = ({ data }: { data: { account_id: string; conversation_id: string } }): string[] => [
  `${data.account_id} ${data.conversation_id}`,
];
const threadsOf = (
  events: readonly { data: { account_id: string; conversation_id: string } }[],
): unknown[][] => [events.map(({ data }) => data.account_id), events.map(({ data }) => data.conversation_id)];

/** The interactions of each account with each post, in one row, and the threads that it muted. */
export const interactions: Projection = {
  name: 'interactions',
  version: 4,
  group: MAIN,
  tables: {
    interactions: `
      account_id bigint,
      status_id bigint,
      favourite_id bigint,
      bookmark_id bigint,
      reblog_id bigint,
      favourite_request_id bigint,
      reblog_request_id bigint,
      primary key (account_id, status_id)`,
    thread_mutes: `
      account_id bigint,
      conversation_id bigint,
      primary key (account_id, conversation_id)`,
  },
  indexes: [
    'create index thread_mutes_of_thread on thread_mutes (conversation_id, account_id desc)',
    'create index interactions_favourites on interactions (account_id, favourite_id desc) where favourite_id is not null',
    'create index interactions_bookmarks on interactions (account_id, bookmark_id desc) where bookmark_id is not null',
    'create index interactions_favourited on interactions (status_id, favourite_id desc) where favourite_id is not null',
    'create index interactions_reblogged on interactions (status_id, reblog_id desc) where reblog_id is not null',
  ],
  handlers: [
    on(StatusFavourited, sets('favourite_id')),
    on(StatusUnfavourited, clears('favourite_id')),
    on(StatusBookmarked, sets('bookmark_id')),
    on(StatusUnbookmarked, clears('bookmark_id')),
    on(StatusReblogged, sets('reblog_id')),
    on(StatusUnreblogged, clears('reblog_id')),
    on(FavouriteRequested, sets('favourite_request_id')),
    on(FavouriteRequestEnded, clears('favourite_request_id')),
    on(ReblogRequested, sets('reblog_request_id')),
    on(ReblogRequestEnded, clears('reblog_request_id')),
    on(ThreadMuted, {
      keys: threadKeys,
      apply: async (events, db) => {
        await db.query(MUTE, threadsOf(events));
      },
    }),
    on(ThreadUnmuted, {
      keys: threadKeys,
      apply: async (events, db) => {
        await db.query(UNMUTE, threadsOf(events));
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('interactions'), deleteRowsOf('thread_mutes')),
  ],
};
