import { PersonalDataErased } from '#events/erasure.ts';
import { deleteRowsOf, MAIN, onAccounts, type Projection } from '#kernel/projection.ts';
import { tablesOf } from '#kernel/table/index.ts';
import { DOMAIN_BLOCKS, domainBlockHandlers, domainBlockIndexes } from './domain-blocks.ts';
import { FOLLOW_TABLES, followHandlers, followIndexes } from './follows.ts';
import { markHandlers, markIndexes, MARKS } from './marks.ts';

/** Relationships between accounts, each by its source and its target. */
export const relationships: Projection = {
  name: 'relationships',
  version: 7,
  group: MAIN,
  tables: tablesOf(...FOLLOW_TABLES, ...MARKS, DOMAIN_BLOCKS),
  indexes: [...followIndexes, ...markIndexes, ...domainBlockIndexes],
  handlers: [
    ...followHandlers,
    ...markHandlers,
    ...domainBlockHandlers,
    // Follows end by events of their own, because other projections count them.
    onAccounts(PersonalDataErased, ...[...MARKS, DOMAIN_BLOCKS].map(deleteRowsOf)),
  ],
};
