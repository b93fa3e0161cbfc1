import { PreviewCardAttached, StatusDeleted } from '#events/statuses.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { batch, bigint, bytea, table, tablesOf, text, together } from '#kernel/table/index.ts';
import { hostOfLink } from '#mastodon/domain-name.ts';

const LINKS = table('status_links', { link: bytea, status_id: bigint, host: text }, ['link', 'status_id']);
const INSERT = batch(
  'status_links_insert',
  { url: text, status_id: bigint, host: text },
  (rows) => `insert into status_links (link, status_id, host)
   select sha256(convert_to(n.url, 'UTF8')), n.status_id, n.host from ${rows}`,
);
const FORGET = LINKS.remove('status_id');

/**
 * The posts that show the preview card of a link, by its SHA-256: addresses may be longer than an index row.
 * Rows of deleted posts are removed: otherwise the links of erased users would remain.
 */
export const statusLinks: Projection = {
  name: 'status-links',
  version: 3,
  group: MAIN,
  tables: tablesOf(LINKS),
  handlerIndexes: ['create index status_links_of_status on status_links (status_id)'],
  indexes: [],
  handlers: [
    on(PreviewCardAttached, {
      keys: ({ data }) => [data.id],
      apply: together(
        FORGET.each(({ data }) => ({ status_id: data.id })),
        INSERT.each(({ data: { id, card } }) =>
          card ? [{ url: card.url, status_id: id, host: hostOfLink(card.url) }] : [],
        ),
      ),
    }),
    on(StatusDeleted, {
      keys: ({ data }) => [data.id],
      apply: FORGET.each(({ data }) => ({ status_id: data.id })),
    }),
  ],
};
