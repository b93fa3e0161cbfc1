import { DomainAllowed, DomainDisallowed } from '#events/domain-allows.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { bigint, table, tablesOf, textC, timestamptz } from '#kernel/table/index.ts';

const ALLOWS = table('domain_allows', { domain: textC, id: bigint, created_at: timestamptz }, ['domain']);

/** The domains that staff allowed. */
export const domainAllows: Projection = {
  name: 'domain-allows',
  version: 1,
  group: MAIN,
  tables: tablesOf(ALLOWS),
  indexes: ['create index domain_allows_id on domain_allows (id)'],
  handlers: [
    on(DomainAllowed, {
      keys: ({ data }) => [data.domain],
      apply: ALLOWS.insert().each(({ data, metadata: { time } }) => ({ ...data, created_at: time })),
    }),
    on(DomainDisallowed, {
      keys: ({ data }) => [data.domain],
      apply: ALLOWS.remove().each(({ data }) => data),
    }),
  ],
};
