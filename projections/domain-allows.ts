import { DomainAllowed, DomainDisallowed } from '#events/domain-allows.ts';
import { columns, MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'domain_allows_insert',
  `insert into domain_allows (id, domain, created_at) select * from unnest($1::bigint[], $2::text[], $3::timestamptz[])`,
);
const DELETE = statement('domain_allows_delete', 'delete from domain_allows where domain = any($1::text[])');

/** The domains that staff allowed. */
export const domainAllows: Projection = {
  name: 'domain-allows',
  version: 1,
  group: MAIN,
  tables: {
    domain_allows: `
      domain text collate "C" primary key,
      id bigint not null,
      created_at timestamptz not null`,
  },
  indexes: ['create index domain_allows_id on domain_allows (id)'],
  handlers: [
    on(DomainAllowed, {
      keys: ({ data }) => [data.domain],
      apply: async (events, db) => {
        const times = events.map(({ metadata }) => metadata.time);
        await db.query(INSERT, [...columns(events, 'id', 'domain'), times]);
      },
    }),
    on(DomainDisallowed, {
      keys: ({ data }) => [data.domain],
      apply: async (events, db) => {
        await db.query(DELETE, columns(events, 'domain'));
      },
    }),
  ],
};
