import {
  type KeysetStatement,
  keysetStatement,
  type PageRequest,
  type Reader,
  selectPage,
} from '#kernel/paging.ts';
import { despite } from '#kernel/read.ts';
import { PAGE_JOINS } from '../statuses/index.ts';

/** A status of a timeline; `may_repeat` is explained in `aggregation.ts`. */
export interface TimelineRow {
  id: string;
  reblog_of_id: string | null;
  may_repeat: boolean;
}

/** The order of a keyset statement. */
export type Order = 'asc' | 'desc';

/**
 * Rarely more than half is filtered out. A window that does not suffice is followed by one of twice the size.
 */
const WINDOW_PER_ROW = 2;
const LARGEST_WINDOW = 1_280;

/**
 * Selects a page from several sources. `candidates` selects `status_id`: the next $5 statuses between $2 and
 * $3 of all sources, without a look at the statuses themselves; extra ones and repeats do no harm. `wanted`
 * is the condition on a status `s` with `PAGE_JOINS`, checked on the candidates in order until the page is
 * full. `mayRepeat` is a column of the rows. Further parameters begin with $6.
 *
 * Each row has the end of the window (`edge`), or null at the end of the sources.
 */
export const windowedStatement = (
  name: string,
  candidates: (order: Order) => string,
  wanted: string,
  mayRepeat = 'false',
): KeysetStatement<Windowed> =>
  keysetStatement(
    name,
    (order) => `
      with candidate as materialized (
        select status_id from (${candidates(order)}) source
        group by status_id order by status_id ${order} limit $5
      )
      select page.*, edge.id as edge
      from (
        select case when count(*) = $5 then ${order === 'desc' ? 'min' : 'max'}(status_id) end as id from candidate
      ) edge
      left join lateral (
        select s.id, s.reblog_of_id, ${mayRepeat} as may_repeat from (select status_id from candidate order by status_id ${order} limit $5) c
        join statuses s on s.id = c.status_id ${PAGE_JOINS}
        where (${wanted}) is true
        order by c.status_id ${order} limit $4
      ) page on true
      order by page.id ${order}`,
  );

/** Lets both statements run while these read models are halted. */
export const keysetDespite = <Row>(
  names: readonly string[],
  { descending, ascending, ...rest }: KeysetStatement<Row>,
): KeysetStatement<Row> => ({
  ...rest,
  descending: despite(names, descending),
  ascending: despite(names, ascending),
});

/**
 * Returns a statement that Postgres plans anew for the values of each request: if the best plan depends on
 * them (rare or frequent words), one plan for all would sometimes read a whole table. Postgres calls the
 * statement without a name for that.
 */
export const unprepared = <Row>({ descending, ascending }: KeysetStatement<Row>): KeysetStatement<Row> => ({
  descending: { ...descending, name: '' },
  ascending: { ...ascending, name: '' },
});

/** A row of a windowed statement. */
export type Windowed = (TimelineRow | { id: null }) & { edge: string | null };

/** Returns a page by a windowed statement: one statement, or more when most candidates are filtered out. */
export async function selectByWindows(
  reader: Reader,
  keyset: KeysetStatement<Windowed>,
  page: PageRequest,
  values: readonly unknown[] = [],
): Promise<TimelineRow[]> {
  const found: TimelineRow[] = [];
  const place = { ...page };
  for (let window = WINDOW_PER_ROW * page.limit; ; window = Math.min(2 * window, LARGEST_WINDOW)) {
    place.limit = page.limit - found.length;
    const rows = await selectPage(reader, keyset, place, [window, ...values]);
    for (const row of rows) if (row.id !== null) found.push(row);
    const edge = rows[0]?.edge ?? null;
    if (edge === null || found.length >= page.limit) return found;
    if (page.ascending) place.after = edge;
    else place.before = edge;
  }
}
