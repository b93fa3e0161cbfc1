import { PersonalDataErased } from '#events/erasure.ts';
import { deleteRowsOf, MAIN, onAccounts, type Projection } from '#kernel/projection.ts';
import { domainBlockHandlers, domainBlockIndexes, domainBlockTables } from './domain-blocks.ts';
import { followHandlers, followIndexes, followTables } from './follows.ts';
import { markHandlers, markIndexes, markTables } from './marks.ts';

/** Relationships between accounts, each by its source and its target. */
export const relationships: Projection = {
  name: 'relationships',
  version: 7,
  group: MAIN,
  tables: { ...followTables, ...markTables, ...domainBlockTables },
  indexes: [...followIndexes, ...markIndexes, ...domainBlockIndexes],
  handlers: [
    ...followHandlers,
    ...markHandlers,
    ...domainBlockHandlers,
    // Follows end by events of their own, because other projections count them.
    onAccounts(PersonalDataErased, ...[...Object.keys(markTables), 'user_domain_blocks'].map(deleteRowsOf)),
  ],
};
