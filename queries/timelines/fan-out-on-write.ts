import { batcherPerDb } from '#kernel/batcher.ts';
import type { Instance, UserContext } from '#kernel/context.ts';
import type { PageRequest } from '#kernel/paging.ts';
import { despite, statement } from '#kernel/read.ts';
import {
  type Found,
  FOUND_COLUMNS,
  foundBySlot,
  PAGE_JOINS,
  type RowOfFind,
  selectFound,
} from '../statuses/index.ts';
import { VIEWER, viewerFacts } from '../visibility/pairs.ts';
import { mayRepeat } from './aggregation.ts';
import { notFannedOutPosts, type ReaderPage, taggedPosts } from './fan-out-on-read.ts';
import { LAST_LISTS, RECEIVES_FAN_OUT, wantedAtHome } from './rules.ts';

/**
 * With one statement for all waiting pages, the process would be idle during the statement, and Postgres
 * during the rendering. Two shorter batches keep both busy; more make each one slower. Batches have a minimum
 * size: the first page of a statement costs three times as much as each further one.
 */
const BATCHES = { size: 16, maxConcurrent: 2, minBatch: 8 };
/** The maximum size of a page of the home timeline. Each page has as many slots in an answer. */
export const MAX_LIMIT = 40;
/**
 * Replies to strangers arrive as well, often more of them than wanted posts. A fanned-out candidate costs
 * next to nothing, unlike one that is merged on read (`windows.ts`): candidates are checked in order, until
 * the page is full.
 */
const CANDIDATES_PER_ROW = 5;
const SELF = `${VIEWER}.id`;
const NEXT: ReaderPage = {
  reader: SELF,
  before: `${VIEWER}.before`,
  after: `${VIEWER}.after`,
  order: 'desc',
  limit: `${CANDIDATES_PER_ROW} * ${VIEWER}.page_size`,
};

/** Entries above `complete_after`, of all sources: see `home.ts`. */
const FANNED_OUT = `
  (select e.status_id from home_entries e
   where e.account_id = ${SELF} and e.status_id < ${NEXT.before} and e.status_id > ${NEXT.after}
   order by e.status_id desc limit ${NEXT.limit})
  union all ${notFannedOutPosts(NEXT)}
  union all ${taggedPosts(NEXT)}`;

const PAGES = despite(
  LAST_LISTS,
  statement<RowOfFind>(
    'timeline_home_fanned_out',
    selectFound(
      `select ((${VIEWER}.n - 1) * ${MAX_LIMIT} + page.place - 1)::int as slot, ${VIEWER}.id as viewer,
       ${VIEWER}.filters_revision, ${VIEWER}.mutes_threads, page.*
     from (
       select asked.id, asked.n, asked.before, asked.page_size, greatest(asked.after, r.complete_after) as after, r.*
       from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::bigint[]), (select $4::int[]))
         with ordinality as asked (id, before, after, page_size, n)
       cross join lateral (
         select r.complete_after, ${viewerFacts('asked.id')},
           (select fr.revision from filter_revisions fr where fr.account_id = asked.id) as filters_revision
         from home_readers r where r.account_id = asked.id and ${RECEIVES_FAN_OUT} offset 0
       ) r
     ) ${VIEWER}
     cross join lateral (
       select * from (
       select found.*, row_number() over (order by found.s_id desc) as place, bool_or(found.may_repeat) over () as repeats from (
       select ${FOUND_COLUMNS}, ${mayRepeat(SELF)} as may_repeat
       from (
         select status_id from (${FANNED_OUT}) source group by status_id order by status_id desc limit ${NEXT.limit}
       ) c
       join statuses s on s.id = c.status_id ${PAGE_JOINS}
       where (${wantedAtHome(SELF)}) is true
       order by c.status_id desc limit ${VIEWER}.page_size
       ) found) numbered where not repeats
     ) page`,
      'inside.place < 2',
    ),
  ),
);

interface Key extends PageRequest {
  viewerId: string;
  instance: Instance;
}

const pages = batcherPerDb<Key, Found[]>(
  (db) => async (keys) => {
    const rows = await db.query(PAGES, [
      keys.map(({ viewerId }) => viewerId),
      keys.map(({ before }) => before),
      keys.map(({ after }) => after),
      keys.map(({ limit }) => limit),
    ]);
    const [key] = keys;
    const found = key ? await foundBySlot(db, key.instance, rows) : [];
    return keys.map((_, index) =>
      found.slice(index * MAX_LIMIT, (index + 1) * MAX_LIMIT).filter((each) => each !== undefined),
    );
  },
  BATCHES,
);

/**
 * Returns a page of the home timeline from fanned-out entries, newest first: nearly all requests need only
 * this, and those of many viewers share one statement. Undefined when that does not fill the page, or when a
 * post may occur twice in it.
 */
export async function fannedOutPage(ctx: UserContext, page: PageRequest): Promise<Found[] | undefined> {
  if (page.ascending) return undefined;
  const { account_id: viewerId } = ctx.viewer;
  const found = await pages(ctx.db).get({ ...page, viewerId, instance: ctx.instance });
  return found?.length === page.limit ? found : undefined;
}
