import { DomainBlockChanged, DomainBlocked, DomainUnblocked } from '#events/admin-domain-blocks.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { bigint, boolean, table, tablesOf, text, textC, timestamptz } from '#kernel/table/index.ts';

const BLOCKS = table(
  'domain_blocks',
  {
    domain: textC,
    id: bigint,
    severity: text,
    reject_media: boolean,
    reject_reports: boolean,
    private_comment: text.orNull,
    public_comment: text.orNull,
    obfuscate: boolean,
    created_at: timestamptz,
  },
  ['domain'],
);

/** The domain blocks of staff. `accounts` has their effects on accounts. */
export const domainBlocks: Projection = {
  name: 'domain-blocks',
  version: 1,
  group: MAIN,
  tables: tablesOf(BLOCKS),
  indexes: ['create index domain_blocks_id on domain_blocks (id)'],
  handlers: [
    on(DomainBlocked, {
      keys: ({ data }) => [data.domain],
      apply: BLOCKS.insert().each(({ data, metadata: { time } }) => ({ ...data, created_at: time })),
    }),
    on(DomainBlockChanged, {
      keys: ({ data }) => [data.domain],
      apply: BLOCKS.patch(
        'severity',
        'reject_media',
        'reject_reports',
        'private_comment',
        'public_comment',
        'obfuscate',
      ).each(({ data }) => data),
    }),
    on(DomainUnblocked, {
      keys: ({ data }) => [data.domain],
      apply: BLOCKS.remove().each(({ data }) => data),
    }),
  ],
};
