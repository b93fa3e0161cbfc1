import { PreviewCardAttached, StatusDeleted } from '#events/statuses.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { hostOfLink } from '#mastodon/domain-name.ts';

const FORGET = statement(
  'status_links_forget',
  'delete from status_links where status_id = any($1::bigint[])',
);
const INSERT = statement(
  'status_links_insert',
  `insert into status_links (link, status_id, host)
   select sha256(convert_to(n.url, 'UTF8')), n.status_id, n.host
   from unnest($1::text[], $2::bigint[], $3::text[]) as n (url, status_id, host)`,
);

/**
 * The posts that show the preview card of a link, by its SHA-256: addresses may be longer than an index row.
 * Rows of deleted posts are removed: otherwise the links of erased users would remain.
 */
export const statusLinks: Projection = {
  name: 'status-links',
  version: 3,
  group: MAIN,
  tables: {
    status_links: `
      link bytea,
      status_id bigint,
      host text not null,
      primary key (link, status_id)`,
  },
  handlerIndexes: ['create index status_links_of_status on status_links (status_id)'],
  indexes: [],
  handlers: [
    on(PreviewCardAttached, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        await db.query(FORGET, [events.map(({ data }) => data.id)]);
        const shown = events.flatMap(({ data: { id, card } }) => (card ? [{ id, url: card.url }] : []));
        if (shown.length === 0) return;
        await db.query(INSERT, [
          shown.map(({ url }) => url),
          shown.map(({ id }) => id),
          shown.map(({ url }) => hostOfLink(url)),
        ]);
      },
    }),
    on(StatusDeleted, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        await db.query(FORGET, [events.map(({ data }) => data.id)]);
      },
    }),
  ],
};
