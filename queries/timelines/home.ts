import { z } from 'zod';
import type { UserContext } from '../../src/kernel/context.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import {
  keysetStatement,
  pageParameters,
  pageRequest,
  selectPage,
  type PageRequest,
} from '../../src/kernel/paging.ts';
import { HOME, MAIN } from '../../src/kernel/projection.ts';
import { statement } from '../../src/kernel/read.ts';
import { statusSchema } from '../entities/schemas/index.ts';
import { PAGE_JOINS, pageVisibleTo, pageWantedBy, statusPage, type PageRow } from '../statuses/index.ts';

/**
 * What the reader's settings leave of a candidate `s`: reblogs and languages as chosen for its author, and answers only to
 * people the reader knows.
 */
const WANTED = `${pageVisibleTo('$1')} and ${pageWantedBy('$1')}
    and not exists (
      select from home_follows f
      where f.account_id = $1 and f.target_account_id = s.account_id
        and ((s.reblog_of_id is not null and not f.reblogs)
          or not coalesce(o.language, s.language) = any(f.languages)))
    and (
      s.in_reply_to_id is null
      or s.in_reply_to_account_id in (s.account_id, $1)
      or s.account_id = $1
      or exists (
        select from home_follows f where f.account_id = $1 and f.target_account_id = s.in_reply_to_account_id))`;

/** Above `complete_after` the written entries hold all there is. */
const WRITTEN = keysetStatement(
  'timeline_home_written',
  (order) => `
    select s.id from home_entries e join statuses s on s.id = e.status_id ${PAGE_JOINS}
    where e.account_id = $1 and e.status_id < $2 and e.status_id > $3
      and e.status_id > (select r.complete_after from home_readers r where r.account_id = $1)
      and ${WANTED}
    order by e.status_id ${order} limit $4`,
);
const MERGED = keysetStatement(
  'timeline_home_merged',
  (order) => `
    select s.id from (
      select target_account_id as id from home_follows where account_id = $1 union select $1
    ) author
    cross join lateral (
      select s.id from home_posts p join statuses s on s.id = p.status_id ${PAGE_JOINS}
      where p.account_id = author.id and p.status_id < $2 and p.status_id > $3
        and (p.visibility <> 'direct' or p.account_id = $1) and ${WANTED}
      order by p.status_id ${order} limit $4
    ) s
    order by s.id ${order} limit $4`,
);
const COMPLETE_AFTER = statement(
  'timeline_home_complete_after',
  'select complete_after from home_readers where account_id = $1',
);

export const homeTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/home',
  summary: 'View the home timeline',
  auth: 'user',
  scopes: ['read:statuses'],
  query: z.object(pageParameters(20, 40)),
  reply: z.array(statusSchema),
  handler: async (ctx, { query }) => {
    await ctx.settle([MAIN, HOME]);
    const page = pageRequest(query);
    const rows = await written(ctx, page);
    return statusPage(ctx, rows ?? (await selectPage<PageRow>(ctx, MERGED, page)), page);
  },
});

/**
 * The page from the written entries; undefined where it may reach below what is written. Read from the old end, entries are
 * only complete when nothing lies below.
 */
async function written(ctx: UserContext, page: PageRequest): Promise<PageRow[] | undefined> {
  const rows = page.ascending ? undefined : await selectPage<PageRow>(ctx, WRITTEN, page);
  if (rows?.length === page.limit) return rows;
  const [reader] = await ctx.db.query<{ complete_after: string }>(COMPLETE_AFTER, [ctx.viewer.account_id]);
  if (!reader || BigInt(page.after) < BigInt(reader.complete_after)) return undefined;
  return rows ?? selectPage<PageRow>(ctx, WRITTEN, page);
}
