import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { formBoolean } from '#kernel/input.ts';
import { offsetParameters } from '#kernel/offset-paging.ts';
import { statement } from '#kernel/read.ts';
import { normalizeTag } from '#mastodon/normalize-tag.ts';
import { accountSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from './entities/account.ts';
import { readyArray } from './entities/ready-json.ts';
import { inDirectoryFor } from './visibility/accounts.ts';

/** $2: local accounts only; $3: public users of this hashtag. */
const LISTED = `${inDirectoryFor('$1')} and (not $2::boolean or a.domain is null)
  and ($3::text is null or exists (
    select from account_tags used where used.account_id = a.id and used.tag = $3 and used.statuses_count > 0 offset 0))`;

const NEWEST = statement<AccountRow>(
  'directory_new',
  `select ${ACCOUNT_COLUMNS} from accounts a ${ACCOUNT_STATS} where ${LISTED} order by a.id desc limit $4 offset $5`,
);
/**
 * Counts activity by the day of a post. Only the accounts of the page's days are ordered by their last post.
 */
const ACTIVE = statement<AccountRow>(
  'directory_active',
  `select ${ACCOUNT_COLUMNS} from (
     select day.id, row_number() over (order by day.last_status_at desc nulls last, (
         select s.id from statuses s
         where s.account_id = day.id and not s.deleted and s.visibility <> 'direct' order by s.id desc limit 1
       ) desc nulls last, day.id desc) as place
     from (
       select a.id, act.last_status_at from accounts a left join account_stats act on act.account_id = a.id
       where ${LISTED} order by act.last_status_at desc nulls last fetch first ($4::int + $5::int) rows with ties
     ) day
     order by place limit $4 offset $5
   ) active
   join accounts a on a.id = active.id ${ACCOUNT_STATS} order by active.place`,
);

/** https://docs.joinmastodon.org/methods/directory/#get */
export const directory = endpoint({
  method: 'GET',
  path: '/api/v1/directory',
  summary: 'View the profile directory',
  auth: 'optional',
  scopes: [],
  query: z.object({
    order: z
      .enum(['active', 'new'])
      .catch('active')
      .default('active')
      .describe('The order: `active` (the default) by the last status, `new` by the age of the account.'),
    local: formBoolean
      .optional()
      .describe('Whether only accounts of this server are listed; false by default.'),
    /** Besides what Mastodon has: only who used this hashtag in posts that are not private. */
    tag: z
      .string()
      .max(500)
      .optional()
      .describe(
        'A hashtag without its number sign; only accounts that used it in visible statuses are listed.',
      ),
    ...offsetParameters(40, 80),
  }),
  reply: z.array(accountSchema),
  handler: async (ctx, { query: { order, local, tag, limit, offset } }) => {
    const rows = await ctx.db.query(order === 'new' ? NEWEST : ACTIVE, [
      ctx.viewer?.account_id ?? null,
      local === true,
      tag === undefined || tag === '' ? null : normalizeTag(tag),
      limit,
      offset,
    ]);
    return { text: readyArray(rows.map(accountJson), ctx.instance) };
  },
});

export const directoryQueries = [directory];
