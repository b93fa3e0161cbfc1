import { EmailDomainBlocked, EmailDomainUnblocked } from '#events/email-domain-blocks.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { bigint, boolean, table, tablesOf, textC, timestamptz } from '#kernel/table/index.ts';

const BLOCKS = table(
  'email_domain_blocks',
  { domain: textC, id: bigint, allow_with_approval: boolean, created_at: timestamptz },
  ['domain'],
);

/** The e-mail domains that staff blocked. */
export const emailDomainBlocks: Projection = {
  name: 'email-domain-blocks',
  version: 2,
  group: MAIN,
  tables: tablesOf(BLOCKS),
  indexes: ['create index email_domain_blocks_id on email_domain_blocks (id)'],
  handlers: [
    on(EmailDomainBlocked, {
      keys: ({ data }) => [data.domain],
      apply: BLOCKS.insert().each(({ data, metadata: { time } }) => ({ ...data, created_at: time })),
    }),
    on(EmailDomainUnblocked, {
      keys: ({ data }) => [data.domain],
      apply: BLOCKS.remove().each(({ data }) => data),
    }),
  ],
};
