import { CanonicalEmailBlocked, CanonicalEmailUnblocked } from '#events/canonical-email-blocks.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { bigint, table, tablesOf, textC } from '#kernel/table/index.ts';

const BLOCKS = table('canonical_email_blocks', { canonical_email_hash: textC, id: bigint }, [
  'canonical_email_hash',
]);

/** The mailboxes that staff blocked, by hash. */
export const canonicalEmailBlocks: Projection = {
  name: 'canonical-email-blocks',
  version: 1,
  group: MAIN,
  tables: tablesOf(BLOCKS),
  indexes: ['create index canonical_email_blocks_id on canonical_email_blocks (id)'],
  handlers: [
    on(CanonicalEmailBlocked, {
      keys: ({ data }) => [data.canonical_email_hash],
      apply: BLOCKS.insert().each(({ data }) => data),
    }),
    on(CanonicalEmailUnblocked, {
      keys: ({ data }) => [data.canonical_email_hash],
      apply: BLOCKS.remove().each(({ data }) => data),
    }),
  ],
};
