import { z } from 'zod';
import { jsonArray } from '../../src/kernel/json-pieces.ts';
import { statement } from '../../src/kernel/read.ts';
import { statusSchema } from '../entities/schemas/index.ts';
import { findStatuses } from '../statuses/index.ts';
import { visibleTo, wantedBy } from '../visibility/statuses.ts';
import { trendLists } from './lists.ts';

const PAGE = statement(
  'trends_statuses',
  `select s.id from rankings r
   join statuses s on s.id = r.key::bigint and s.visibility = 'public' join accounts a on a.id = s.account_id
   where r.kind = 'statuses' and ${visibleTo('$1')} and ${wantedBy('$1')}
   order by coalesce(s.language = any($2::text[]), false) desc, r.place offset $3 limit $4 + 1`,
);

/**
 * https://docs.joinmastodon.org/methods/trends/#statuses
 * https://docs.joinmastodon.org/methods/admin/trends/#statuses
 */
export const { forAll: trendingStatuses, forStaff: adminTrendingStatuses } = trendLists<{ id: string }>({
  path: '/api/v1/trends/statuses',
  staffPath: '/api/v1/admin/trends/statuses',
  what: 'posts',
  limit: { usual: 20, most: 40 },
  statement: PAGE,
  reply: z.array(statusSchema),
  text: async (ctx, rows) => {
    const statuses = await findStatuses(
      ctx,
      rows.map(({ id }) => id),
    );
    return jsonArray(statuses.filter((status) => status !== undefined));
  },
});
