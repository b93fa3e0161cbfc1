import { CanonicalEmailBlocked, CanonicalEmailUnblocked } from '#events/canonical-email-blocks.ts';
import { columns, MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'canonical_email_blocks_insert',
  `insert into canonical_email_blocks (id, canonical_email_hash) select * from unnest($1::bigint[], $2::text[])`,
);
const DELETE = statement(
  'canonical_email_blocks_delete',
  'delete from canonical_email_blocks where canonical_email_hash = any($1::text[])',
);

/** The mailboxes that staff blocked, by hash. */
export const canonicalEmailBlocks: Projection = {
  name: 'canonical-email-blocks',
  version: 1,
  group: MAIN,
  tables: {
    canonical_email_blocks: `
      canonical_email_hash text collate "C" primary key,
      id bigint not null`,
  },
  indexes: ['create index canonical_email_blocks_id on canonical_email_blocks (id)'],
  handlers: [
    on(CanonicalEmailBlocked, {
      keys: ({ data }) => [data.canonical_email_hash],
      apply: async (events, db) => {
        await db.query(INSERT, columns(events, 'id', 'canonical_email_hash'));
      },
    }),
    on(CanonicalEmailUnblocked, {
      keys: ({ data }) => [data.canonical_email_hash],
      apply: async (events, db) => {
        await db.query(DELETE, columns(events, 'canonical_email_hash'));
      },
    }),
  ],
};
