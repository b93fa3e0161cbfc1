import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParam } from '#kernel/input.ts';
import { ENDLESS, pageParameters, pageRequest } from '#kernel/paging.ts';
import { HOME, MAIN } from '#kernel/projection.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { MEMBERSHIP_JOIN, ownListOf } from '../lists/index.ts';
import { statusPage } from '../statuses/index.ts';
import { mayRepeat, selectAggregated } from './aggregation.ts';
import { postsOf } from './fan-out-on-read.ts';
import { LAST_LISTS, wantedInList } from './rules.ts';
import { keysetDespite, windowedStatement } from './windows.ts';

/** The members that the owner follows, and the owner if they added themselves. */
const MEMBERS = `select m.account_id as id from list_accounts m ${MEMBERSHIP_JOIN} where m.list_id = $6
  union all select m.account_id from list_accounts m where m.list_id = $6 and m.account_id = m.owner_id`;

/** $6 is the list. Open streams follow the lists of an earlier time while the read model is halted. */
export const LIST_TIMELINE = keysetDespite(
  LAST_LISTS,
  windowedStatement(
    'timeline_list',
    (order) => postsOf(MEMBERS, order),
    wantedInList('$1', '$6', '(select l.replies_policy from lists l where l.id = $6)'),
    mayRepeat('$1'),
  ),
);

export const listTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/list/:list_id',
  summary: 'View the timeline of one of your lists',
  auth: 'user',
  scopes: ['read:lists'],
  params: z.object({ list_id: idParam.describe('The ID of a list of the user.') }),
  query: z.object(pageParameters(20, 40)),
  reads: [MAIN, HOME],
  reply: z.array(statusSchema),
  handler: async (ctx, { params, query }) => {
    const { id } = await ownListOf(ctx.db, ctx.viewer.account_id, params.list_id);
    const page = pageRequest(query, ENDLESS);
    return statusPage(ctx, await selectAggregated(ctx, LIST_TIMELINE, page, [id]), page);
  },
});
