import { batcherPer } from '../../src/kernel/batcher.ts';
import type { Instance, UserContext } from '../../src/kernel/context.ts';
import type { PageRequest } from '../../src/kernel/paging.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { foundBySlot, PAGE_JOINS, selectFound, type Found, type RowOfFind } from '../statuses/index.ts';
import { READER } from '../visibility/pairs.ts';
import { wantedAtHome, WRITTEN_FOR } from './rules.ts';
import { WINDOW_PER_ROW } from './windows.ts';

/** More than a page of the home timeline may have: slots of one page. */
const SLOTS = 100;
const SELF = `${READER}.id`;
const WINDOW = `${WINDOW_PER_ROW} * ${READER}.page_size`;
const between = (id: string): string => `${id} < ${READER}.before and ${id} > ${READER}.after`;

/** What lies above `complete_after`, of all sources: see `home.ts`. */
const WRITTEN = `
  (select e.status_id from home_entries e where e.account_id = ${SELF} and ${between('e.status_id')}
   order by e.status_id desc limit ${WINDOW})
  union all
  select p.status_id from home_authors a
  cross join lateral (
    select p.status_id from home_posts p where p.account_id = a.account_id and p.wide and ${between('p.status_id')}
    order by p.status_id desc limit ${WINDOW}
  ) p
  where a.wide_id is not null and a.wide_id > ${READER}.after
    and exists (select from home_follows f where f.account_id = ${SELF} and f.target_account_id = a.account_id offset 0)
  union all
  select t.status_id from tag_follows tf
  cross join lateral (
    select t.status_id from status_tags t where t.tag = tf.tag and ${between('t.status_id')}
    order by t.status_id desc limit ${WINDOW}
  ) t
  where tf.account_id = ${SELF}`;

const PAGES = statement(
  'timeline_home_written',
  selectFound(
    `select ((${READER}.n - 1) * ${SLOTS} + page.place - 1)::int as slot, ${READER}.id as viewer,
       page.id, page.reblog_of_id, page.quote_id
     from (
       select asked.id, asked.n, asked.before, asked.page_size, greatest(asked.after, r.complete_after) as after
       from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::bigint[]), (select $4::int[]))
         with ordinality as asked (id, before, after, page_size, n)
       cross join lateral (
         select r.complete_after from home_readers r where r.account_id = asked.id and ${WRITTEN_FOR} offset 0
       ) r
     ) ${READER}
     cross join lateral (
       select s.id, s.reblog_of_id, s.quote_id, row_number() over (order by s.id desc) as place
       from (
         select status_id from (${WRITTEN}) source group by status_id order by status_id desc limit ${WINDOW}
       ) c
       join statuses s on s.id = c.status_id ${PAGE_JOINS}
       where (${wantedAtHome(SELF)}) is true
       order by s.id desc limit ${READER}.page_size
     ) page`,
    'inside.place < 2',
  ),
);

interface Key extends PageRequest {
  viewerId: string;
  instance: Instance;
}

const pages = batcherPer<Db, Key, Found[]>((db) => async (keys) => {
  const rows = await db.query<RowOfFind>(PAGES, [
    keys.map(({ viewerId }) => viewerId),
    keys.map(({ before }) => before),
    keys.map(({ after }) => after),
    keys.map(({ limit }) => limit),
  ]);
  const [key] = keys;
  const found = key ? await foundBySlot(db, key.instance, rows) : [];
  return keys.map((_, index) =>
    found.slice(index * SLOTS, (index + 1) * SLOTS).filter((each) => each !== undefined),
  );
});

/**
 * A page of the home timeline out of what was written on arrival, newest first: what nearly all requests ask for, those of
 * many readers in one statement. Undefined where that does not fill the page, so that more has to be looked at.
 */
export async function writtenPage(ctx: UserContext, page: PageRequest): Promise<Found[] | undefined> {
  if (page.ascending) return undefined;
  const { account_id: viewerId } = ctx.viewer;
  const found = await pages(ctx.db).get({ ...page, viewerId, instance: ctx.instance });
  return found?.length === page.limit ? found : undefined;
}
