import { PersonalDataErased } from '#events/erasure.ts';
import { RelationshipsSevered } from '#events/severed-relationships.ts';
import { columns, deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'relationship_severances_insert',
  `insert into relationship_severances (account_id, id, type, target_name, followers_count, following_count, created_at)
   select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::int[], $7::timestamptz[])`,
);

/** The relationships that accounts lost because domains were blocked. */
export const severedRelationships: Projection = {
  name: 'severed-relationships',
  version: 2,
  group: MAIN,
  tables: {
    /** `id` is that of the block, the same for all affected accounts. */
    relationship_severances: `
      account_id bigint,
      id bigint,
      type text not null,
      target_name text not null,
      followers_count integer not null,
      following_count integer not null,
      created_at timestamptz not null,
      primary key (account_id, id)`,
  },
  indexes: [],
  handlers: [
    on(RelationshipsSevered, {
      keys: ({ data }) => [`${data.account_id} ${data.id}`],
      apply: async (events, db) => {
        await db.query(INSERT, [
          ...columns(events, 'account_id', 'id', 'type', 'target_name', 'followers_count', 'following_count'),
          events.map(({ metadata }) => metadata.time),
        ]);
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('relationship_severances')),
  ],
};
