import { z } from 'zod';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { formBoolean, idParams } from '../../src/kernel/input.ts';
import { normalizeTag } from '../../src/kernel/normalize-tag.ts';
import { keysetStatement, pageParameters } from '../../src/kernel/paging.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { statement } from '../../src/kernel/read.ts';
import { statusSchema } from '../entities/schemas/index.ts';
import { STATUS_COLUMNS, STATUS_JOINS } from '../entities/status.ts';
import { listStatuses } from '../statuses/index.ts';
import { visibleTo } from '../visibility/statuses.ts';

const EXISTS = statement('account_exists', 'select id from accounts where id = $1');
const STATUSES = keysetStatement(
  'account_statuses',
  (order) => `
    select ${STATUS_COLUMNS} from statuses s ${STATUS_JOINS}
    where s.account_id = $5 and s.id < $2 and s.id > $3 and ${visibleTo('$1')}
      and (not $6::boolean or s.in_reply_to_id is null or s.in_reply_to_account_id = s.account_id)
      and ($7::text is null or exists (select from status_tags t where t.status_id = s.id and t.tag = $7))
      and not $8::boolean
    order by s.id ${order} limit $4`,
);

/** Media and pins come with a later version: nothing is attached and nothing is pinned. */
export const accountStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/statuses',
  summary: "View an account's statuses",
  auth: 'optional',
  scopes: ['read:statuses'],
  params: idParams,
  query: z.object({
    tagged: z.string().max(500).optional(),
    exclude_replies: formBoolean.optional(),
    exclude_reblogs: formBoolean.optional(),
    only_media: formBoolean.optional(),
    pinned: formBoolean.optional(),
    ...pageParameters(20, 40),
  }),
  reply: z.array(statusSchema),
  handler: async (ctx, { params, query }) => {
    await ctx.settle([MAIN]);
    const [account] = await ctx.db.query(EXISTS, [params.id]);
    if (!account) throw notFound();
    return listStatuses(ctx, STATUSES, query, [
      params.id,
      query.exclude_replies === true,
      query.tagged === undefined ? null : normalizeTag(query.tagged),
      query.only_media === true || query.pinned === true,
    ]);
  },
});
