import { REMOTE_ACCOUNTS_CHANNEL } from '#events/federation.ts';
import {
  RelayAccepted,
  RelayAdded,
  RelayDisabled,
  RelayEnabled,
  RelayRejected,
  RelayRemoved,
} from '#events/relays.ts';
import { columns, MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

/** Posts have a remote recipient from now on. */
const ANNOUNCE = statement('relays_announce', `select pg_notify('${REMOTE_ACCOUNTS_CHANNEL}', '')`);
const INSERT = statement(
  'relays_insert',
  `insert into relays (id, inbox_url, actor_url, host, state, created_at)
   select id, inbox_url, actor_url, split_part(inbox_url, '/', 3), 'idle', created_at
   from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[]) as n (id, inbox_url, actor_url, created_at)`,
);
const ASK = statement(
  'relays_ask',
  `update relays r set state = 'pending', follow_id = n.follow_id, actor = null
   from unnest($1::bigint[], $2::bigint[]) as n (id, follow_id) where r.id = n.id`,
);
const ACCEPT = statement(
  'relays_accept',
  `update relays r set state = 'accepted', actor = n.actor
   from unnest($1::bigint[], $2::text[]) as n (id, actor) where r.id = n.id`,
);
const REJECT = statement(
  'relays_reject',
  `update relays set state = 'rejected', actor = null where id = any($1::bigint[])`,
);
const STOP = statement(
  'relays_stop',
  `update relays set state = 'idle', follow_id = null, actor = null where id = any($1::bigint[])`,
);
const DELETE = statement('relays_delete', 'delete from relays where id = any($1::bigint[])');

const byId = ({ data }: { data: { id: string } }): string[] => [data.id];

/** The relays that staff added, and their states. */
export const relays: Projection = {
  name: 'relays',
  version: 1,
  group: MAIN,
  tables: {
    relays: `
      id bigint primary key,
      inbox_url text not null,
      actor_url text,
      host text not null,
      state text not null,
      follow_id bigint,
      actor text,
      created_at timestamptz not null`,
  },
  indexes: [],
  handlers: [
    on(RelayAdded, {
      keys: byId,
      apply: async (events, db) => {
        const times = events.map(({ metadata }) => metadata.time);
        await db.query(INSERT, [...columns(events, 'id', 'inbox_url', 'actor_url'), times]);
      },
    }),
    on(RelayEnabled, {
      keys: byId,
      apply: async (events, db) => {
        await db.query(ANNOUNCE);
        await db.query(ASK, columns(events, 'id', 'follow_id'));
      },
    }),
    on(RelayAccepted, {
      keys: byId,
      apply: async (events, db) => {
        await db.query(ACCEPT, columns(events, 'id', 'actor'));
      },
    }),
    on(RelayRejected, {
      keys: byId,
      apply: async (events, db) => {
        await db.query(REJECT, columns(events, 'id'));
      },
    }),
    on(RelayDisabled, {
      keys: byId,
      apply: async (events, db) => {
        await db.query(STOP, columns(events, 'id'));
      },
    }),
    on(RelayRemoved, {
      keys: byId,
      apply: async (events, db) => {
        await db.query(DELETE, columns(events, 'id'));
      },
    }),
  ],
};
