import { IP_BLOCKS_CHANNEL, IpBlockChanged, IpBlocked, ipBlockKey, IpUnblocked } from '#events/ip-blocks.ts';
import { columns, MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'ip_blocks_insert',
  `insert into ip_blocks (id, digest, ip, severity, comment, expires_at, created_at, key_id)
   select * from unnest($1::bigint[], $2::text[], $3::cidr[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[],
     $8::bigint[])`,
);
/** The end may become null, so a separate value tells whether it changes. */
const UPDATE = statement(
  'ip_blocks_update',
  `update ip_blocks b set
     severity = coalesce(n.severity, b.severity),
     comment = coalesce(n.comment, b.comment),
     expires_at = case when n.expiry_changes then n.expires_at else b.expires_at end
   from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::bool[])
     as n (digest, severity, comment, expires_at, expiry_changes)
   where b.digest = n.digest`,
);
const DELETE = statement('ip_blocks_delete', 'delete from ip_blocks where digest = any($1::text[])');
/** Postgres announces it when the rows are committed, so listeners find them. */
const ANNOUNCE = statement('ip_blocks_announce', `select pg_notify('${IP_BLOCKS_CHANNEL}', '')`);

/** The ranges of addresses that staff blocked. */
export const ipBlocks: Projection = {
  name: 'ip-blocks',
  version: 3,
  group: MAIN,
  tables: {
    ip_blocks: `
      digest text collate "C" primary key,
      id bigint not null,
      ip cidr not null,
      severity text not null,
      comment text not null,
      expires_at timestamptz,
      created_at timestamptz not null,
      key_id bigint not null`,
  },
  indexes: ['create index ip_blocks_id on ip_blocks (id)'],
  handlers: [
    on(IpBlocked, {
      keys: ({ data }) => [data.digest],
      apply: async (events, db) => {
        // The range of a lifted block is erased, also for a server that shows the past.
        const known = events.filter(({ data }) => data.ip !== '');
        const times = known.map(({ metadata }) => metadata.time);
        const values = columns(known, 'id', 'digest', 'ip', 'severity', 'comment', 'expires_at');
        const keys = known.map(({ data }) => ipBlockKey(data));
        await db.query(INSERT, [...values, times, keys]);
        await db.query(ANNOUNCE);
      },
    }),
    on(IpBlockChanged, {
      keys: ({ data }) => [data.digest],
      apply: async (events, db) => {
        await db.query(UPDATE, [
          events.map(({ data }) => data.digest),
          events.map(({ data }) => data.severity ?? null),
          events.map(({ data }) => data.comment ?? null),
          events.map(({ data }) => data.expires_at ?? null),
          events.map(({ data }) => data.expires_at !== undefined),
        ]);
        await db.query(ANNOUNCE);
      },
    }),
    on(IpUnblocked, {
      keys: ({ data }) => [data.digest],
      apply: async (events, db) => {
        await db.query(DELETE, columns(events, 'digest'));
        await db.query(ANNOUNCE);
      },
    }),
  ],
};
