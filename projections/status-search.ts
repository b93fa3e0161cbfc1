import { StatusCreated, StatusDeleted, StatusEdited } from '../src/events/statuses.ts';
import { SEARCH, on, type Projection } from '../src/kernel/projection.ts';
import { statement } from '../src/kernel/read.ts';
import { vectorOf } from './status-search/vector.ts';

const INSERT = statement(
  'status_search_insert',
  `insert into status_search (status_id, account_id, poll_id, created_at, terms)
   select unnest($1::bigint[]), unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::timestamptz[]),
     unnest($5::text[])::tsvector`,
);
const UPDATE = statement(
  'status_search_update',
  `update status_search s set poll_id = n.poll_id, terms = n.terms::tsvector
   from unnest($1::bigint[], $2::bigint[], $3::text[]) as n (status_id, poll_id, terms)
   where s.status_id = n.status_id`,
);
const DELETE = statement(
  'status_search_delete',
  'delete from status_search where status_id = any($1::bigint[])',
);

const byStatus = ({ data }: { data: { id: string } }): string[] => [data.id];

/**
 * By which terms posts are found (`status-search/vector.ts`). In a group of its own, so that nobody who posts waits for it. Who
 * may find what is asked when reading. The pending list of the index is short: every search goes through it.
 */
export const statusSearch: Projection = {
  name: 'status-search',
  version: 1,
  group: SEARCH,
  tables: {
    status_search: `
      status_id bigint primary key,
      account_id bigint not null,
      poll_id bigint,
      created_at timestamptz not null,
      terms tsvector not null`,
  },
  indexes: [
    'create index status_search_terms on status_search using gin (terms) with (gin_pending_list_limit = 512)',
  ],
  handlers: [
    on(StatusCreated, {
      keys: byStatus,
      apply: async (events, db) => {
        await db.query(INSERT, [
          events.map(({ data }) => data.id),
          events.map(({ data }) => data.account_id),
          events.map(({ data }) => data.poll?.id ?? null),
          events.map(({ data }) => data.created_at),
          events.map(({ data }) => vectorOf(data)),
        ]);
      },
    }),
    on(StatusEdited, {
      keys: byStatus,
      apply: async (events, db) => {
        await db.query(UPDATE, [
          events.map(({ data }) => data.id),
          events.map(({ data }) => data.poll?.id ?? null),
          events.map(({ data }) => vectorOf(data)),
        ]);
      },
    }),
    on(StatusDeleted, {
      keys: byStatus,
      apply: async (events, db) => {
        await db.query(DELETE, [events.map(({ data }) => data.id)]);
      },
    }),
  ],
};
