import { RemoteStatusRemoved } from '#events/statuses.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

/** Tables with rows of a post, by the column that names it. The post itself comes last. */
const TABLES = {
  status_edits: 'status_id',
  status_tags: 'status_id',
  status_mentions: 'status_id',
  status_stats: 'status_id',
  quote_authorizations: 'status_id',
  statuses: 'id',
};
const REMOVE = Object.entries(TABLES).map(([table, column]) =>
  statement(`${table}_remove`, `delete from ${table} where ${column} = any($1::bigint[])`),
);

/** Removes the rows of deleted remote posts, which the operator cleared away. */
export const removedHandlers: BoundHandler[] = [
  on(RemoteStatusRemoved, {
    keys: ({ data }) => [data.id],
    apply: async (events, db) => {
      const ids = events.map(({ data }) => data.id);
      await Promise.all(REMOVE.map((each) => db.query(each, [ids])));
    },
  }),
];
