import {
  AccountBlocked,
  AccountEndorsed,
  AccountMuted,
  AccountNoteSet,
  AccountUnblocked,
  AccountUnendorsed,
  AccountUnmuted,
} from '#events/relationships.ts';
import type { EventDefinition } from '#kernel/event.ts';
import { type BoundHandler, newestOfAccount, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { deletePairs, keys, type Pair, PAIR_COLUMNS, PAIR_KEY, pairsOf } from './pairs.ts';

type Mark = 'blocks' | 'endorsements';
const MARK = `${PAIR_COLUMNS}, id bigint not null, ${PAIR_KEY}`;

export const markTables = {
  blocks: MARK,
  endorsements: MARK,
  /** A row whose `expires_at` has passed does not apply: reads compare it with now(). */
  mutes: `${PAIR_COLUMNS},
    id bigint not null,
    notifications boolean not null,
    expires_at timestamptz,
    ${PAIR_KEY}`,
  account_notes: `${PAIR_COLUMNS}, comment text not null, ${PAIR_KEY}`,
};

/** Listed by their owner, newest first; blocks, mutes and notes are also looked up by their target. */
export const markIndexes = [
  ...['blocks', 'endorsements', 'mutes'].flatMap(newestOfAccount),
  ...['blocks', 'mutes', 'account_notes'].map(
    (table) => `create index ${table}_of_target on ${table} (target_account_id, account_id)`,
  ),
];

const insertInto = (table: Mark) =>
  statement(
    `${table}_insert`,
    `insert into ${table} (account_id, target_account_id, id)
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])`,
  );
const MUTE = statement(
  'mutes_upsert',
  `insert into mutes (account_id, target_account_id, id, notifications, expires_at)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bool[], $5::timestamptz[])
   on conflict (account_id, target_account_id) do update
     set id = excluded.id, notifications = excluded.notifications, expires_at = excluded.expires_at`,
);
const NOTE = statement(
  'account_notes_upsert',
  `insert into account_notes (account_id, target_account_id, comment)
   select * from unnest($1::bigint[], $2::bigint[], $3::text[])
   on conflict (account_id, target_account_id) do update set comment = excluded.comment`,
);
const FORGET_NOTE = deletePairs('account_notes');

/** Blocks, mutes, endorsements and notes, one row each. */
export const markHandlers: BoundHandler[] = [
  insertion(AccountBlocked, 'blocks'),
  removal(AccountUnblocked, 'blocks'),
  insertion(AccountEndorsed, 'endorsements'),
  removal(AccountUnendorsed, 'endorsements'),
  on(AccountMuted, {
    keys,
    apply: async (events, db) => {
      const mutes = events.map(({ data }) => data);
      await db.query(MUTE, [
        ...pairsOf(mutes),
        mutes.map(({ id }) => id),
        mutes.map(({ notifications }) => notifications),
        mutes.map(({ expires_at }) => expires_at),
      ]);
    },
  }),
  removal(AccountUnmuted, 'mutes'),
  on(AccountNoteSet, {
    keys,
    apply: async (events, db) => {
      const notes = events.map(({ data }) => data);
      const written = notes.filter(({ comment }) => comment !== '');
      await db.query(FORGET_NOTE, pairsOf(notes.filter(({ comment }) => comment === '')));
      await db.query(NOTE, [...pairsOf(written), written.map(({ comment }) => comment)]);
    },
  }),
];

function insertion(definition: EventDefinition<string, Pair & { id: string }>, table: Mark): BoundHandler {
  const insert = insertInto(table);
  return on(definition, {
    keys,
    apply: async (events, db) => {
      const rows = events.map(({ data }) => data);
      await db.query(insert, [...pairsOf(rows), rows.map(({ id }) => id)]);
    },
  });
}

function removal(definition: EventDefinition<string, Pair>, table: Mark | 'mutes'): BoundHandler {
  const remove = deletePairs(table);
  return on(definition, {
    keys,
    apply: async (events, db) => {
      await db.query(remove, pairsOf(events.map(({ data }) => data)));
    },
  });
}
