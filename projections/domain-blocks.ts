import { DomainBlockChanged, DomainBlocked, DomainUnblocked } from '#events/admin-domain-blocks.ts';
import { columns, MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'domain_blocks_insert',
  `insert into domain_blocks (id, domain, severity, reject_media, reject_reports, private_comment, public_comment,
     obfuscate, created_at)
   select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bool[], $5::bool[], $6::text[], $7::text[],
     $8::bool[], $9::timestamptz[])`,
);
/** Comments may become null, so separate values tell whether they change. */
const UPDATE = statement(
  'domain_blocks_update',
  `update domain_blocks b set
     severity = coalesce(n.severity, b.severity),
     reject_media = coalesce(n.reject_media, b.reject_media),
     reject_reports = coalesce(n.reject_reports, b.reject_reports),
     private_comment = case when n.private_changes then n.private_comment else b.private_comment end,
     public_comment = case when n.public_changes then n.public_comment else b.public_comment end,
     obfuscate = coalesce(n.obfuscate, b.obfuscate)
   from unnest($1::text[], $2::text[], $3::bool[], $4::bool[], $5::text[], $6::bool[], $7::text[], $8::bool[], $9::bool[])
     as n (domain, severity, reject_media, reject_reports, private_comment, private_changes, public_comment,
       public_changes, obfuscate)
   where b.domain = n.domain`,
);
const DELETE = statement('domain_blocks_delete', 'delete from domain_blocks where domain = any($1::text[])');

/** The domain blocks of staff. `accounts` has their effects on accounts. */
export const domainBlocks: Projection = {
  name: 'domain-blocks',
  version: 1,
  group: MAIN,
  tables: {
    domain_blocks: `
      domain text collate "C" primary key,
      id bigint not null,
      severity text not null,
      reject_media boolean not null,
      reject_reports boolean not null,
      private_comment text,
      public_comment text,
      obfuscate boolean not null,
      created_at timestamptz not null`,
  },
  indexes: ['create index domain_blocks_id on domain_blocks (id)'],
  handlers: [
    on(DomainBlocked, {
      keys: ({ data }) => [data.domain],
      apply: async (events, db) => {
        await db.query(INSERT, [
          ...columns(events, 'id', 'domain', 'severity', 'reject_media', 'reject_reports'),
          ...columns(events, 'private_comment', 'public_comment', 'obfuscate'),
          events.map(({ metadata }) => metadata.time),
        ]);
      },
    }),
    on(DomainBlockChanged, {
      keys: ({ data }) => [data.domain],
      apply: async (events, db) => {
        await db.query(UPDATE, [
          events.map(({ data }) => data.domain),
          events.map(({ data }) => data.severity ?? null),
          events.map(({ data }) => data.reject_media ?? null),
          events.map(({ data }) => data.reject_reports ?? null),
          events.map(({ data }) => data.private_comment ?? null),
          events.map(({ data }) => data.private_comment !== undefined),
          events.map(({ data }) => data.public_comment ?? null),
          events.map(({ data }) => data.public_comment !== undefined),
          events.map(({ data }) => data.obfuscate ?? null),
        ]);
      },
    }),
    on(DomainUnblocked, {
      keys: ({ data }) => [data.domain],
      apply: async (events, db) => {
        await db.query(DELETE, columns(events, 'domain'));
      },
    }),
  ],
};
