import { PersonalDataErased } from '../../src/events/erasure.ts';
import { deleteRowsOf, MAIN, onAccounts, type Projection } from '../../src/kernel/projection.ts';
import { domainBlockHandlers, domainBlockIndexes, domainBlockTables } from './domain-blocks.ts';
import { followHandlers, followIndexes, followTables } from './follows.ts';
import { markHandlers, markIndexes, markTables } from './marks.ts';

/** What accounts have to each other, each by the account from which it goes out and the one it is about. */
export const relationships: Projection = {
  name: 'relationships',
  version: 6,
  group: MAIN,
  tables: { ...followTables, ...markTables, ...domainBlockTables },
  indexes: [...followIndexes, ...markIndexes, ...domainBlockIndexes],
  handlers: [
    ...followHandlers,
    ...markHandlers,
    ...domainBlockHandlers,
    // Follows end by events of their own, since others count them.
    onAccounts(PersonalDataErased, ...[...Object.keys(markTables), 'user_domain_blocks'].map(deleteRowsOf)),
  ],
};
