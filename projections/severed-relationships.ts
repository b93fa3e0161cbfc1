import { PersonalDataErased } from '#events/erasure.ts';
import { RelationshipsSevered } from '#events/severed-relationships.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, integer, table, tablesOf, text, timestamptz } from '#kernel/table/index.ts';

const SEVERANCES = table(
  'relationship_severances',
  {
    account_id: bigint,
    /** The id of the block, the same for all affected accounts. */
    id: bigint,
    type: text,
    target_name: text,
    followers_count: integer,
    following_count: integer,
    created_at: timestamptz,
  },
  ['account_id', 'id'],
);

/** The relationships that accounts lost because domains were blocked. */
export const severedRelationships: Projection = {
  name: 'severed-relationships',
  version: 2,
  group: MAIN,
  tables: tablesOf(SEVERANCES),
  indexes: [],
  handlers: [
    on(RelationshipsSevered, {
      keys: ({ data }) => [`${data.account_id} ${data.id}`],
      apply: SEVERANCES.insert().each(({ data, metadata: { time } }) => ({ ...data, created_at: time })),
    }),
    onAccounts(PersonalDataErased, deleteRowsOf(SEVERANCES)),
  ],
};
