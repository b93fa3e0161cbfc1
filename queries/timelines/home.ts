import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { ENDLESS, pageParameters, pageRequest } from '#kernel/paging.ts';
import { HOME, MAIN } from '#kernel/projection.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { foundPage, statusPage } from '../statuses/index.ts';
import { mayRepeat, selectAggregated } from './aggregation.ts';
import { notFannedOutPosts, postsOf, taggedPosts } from './fan-out-on-read.ts';
import { fannedOutPage, MAX_LIMIT } from './fan-out-on-write.ts';
import { LAST_LISTS, RECEIVES_FAN_OUT, wantedAtHome } from './rules.ts';
import { keysetDespite, type Order, windowedStatement } from './windows.ts';

const LARGEST = '9223372036854775807';
const FOLLOWED = `select target_account_id as id from home_follows where account_id = $1 union all select $1::bigint`;

const NEXT = { reader: '$1', before: '$2', limit: '$5' };

/** The end of the fanned-out entries; above everything for a viewer without any. */
const PLACE = `
  select greatest($3::bigint, complete_after) as fanned_out_after, least($2::bigint - 1, complete_after) + 1 as others_before
  from (
    select coalesce((select r.complete_after from home_readers r where r.account_id = $1 and ${RECEIVES_FAN_OUT}), ${LARGEST}) as complete_after
  ) reader`;

/**
 * Above `complete_after`: fanned-out entries, and the posts that were not fanned out because of too many
 * recipients. Below: the posts of all followed accounts. Everywhere: the posts with a followed hashtag. The
 * part below is skipped while the entries suffice.
 */
const candidates = (order: Order): string => `
  with place as materialized (${PLACE}),
  fanned_out as materialized (
    select e.status_id from home_entries e
    where e.account_id = $1 and e.status_id < $2 and e.status_id > (select fanned_out_after from place)
    order by e.status_id ${order} limit $5
  )
  select status_id from fanned_out
  union all (${postsOf(
    FOLLOWED,
    order,
    { before: '(select others_before from place)', after: '$3::bigint' },
    `(select others_before from place) > $3 + 1${order === 'desc' ? ' and (select count(*) from fanned_out) < $5' : ''}`,
  )})
  union all ${notFannedOutPosts({ ...NEXT, after: '(select fanned_out_after from place)', order })}
  union all ${taggedPosts({ ...NEXT, after: '$3', order })}`;

export const HOME_TIMELINE = keysetDespite(
  LAST_LISTS,
  windowedStatement('timeline_home', candidates, wantedAtHome('$1'), mayRepeat('$1')),
);

export const homeTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/home',
  summary: 'View the home timeline',
  auth: 'user',
  scopes: ['read:statuses'],
  query: z.object(pageParameters(20, MAX_LIMIT)),
  reads: [MAIN, HOME],
  reply: z.array(statusSchema),
  handler: async (ctx, { query }) => {
    const page = pageRequest(query, ENDLESS);
    const outdated = ctx.services.readModels.halted().filter((name) => LAST_LISTS.includes(name));
    const fannedOut = await fannedOutPage(ctx, page);
    const reply = fannedOut
      ? await foundPage(ctx, fannedOut, page)
      : await statusPage(ctx, await selectAggregated(ctx, HOME_TIMELINE, page), page);
    return outdated.length === 0 ? reply : { ...reply, headers: { [OUTDATED]: outdated.join(', ') } };
  },
});

/** Names the halted read models whose rows of an earlier time a reply relies on. */
const OUTDATED = 'Rookery-Outdated';
