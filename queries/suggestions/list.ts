import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { limitParameter } from '#kernel/paging.ts';
import { statement } from '#kernel/read.ts';
import { accountSchema, type Suggestion, suggestionSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { readyArray } from '../entities/ready-json.ts';
import { suggestedTo } from '../visibility/accounts.ts';

/** The number of the viewer's latest interactions of each kind that are considered. */
const RECENT = 300;
/** The number of candidates from each source. */
const CANDIDATES = 300;

/** The reader's interactions with posts of others, and the weight of each kind. */
const INTERACTIONS = `
  select s.in_reply_to_account_id as id, 1 as weight from (
    select in_reply_to_account_id from statuses where account_id = $1 and not deleted order by id desc limit ${RECENT}
  ) s where s.in_reply_to_account_id is not null
  union all
  select s.account_id, 10 from (
    select status_id from interactions where account_id = $1 and favourite_id is not null
    order by favourite_id desc limit ${RECENT}
  ) i join statuses s on s.id = i.status_id
  union all
  select s.account_id, 20 from (
    select status_id from interactions where account_id = $1 and reblog_id is not null
    order by reblog_id desc limit ${RECENT}
  ) i join statuses s on s.id = i.status_id`;

/**
 * Accounts that staff recommend come first, then accounts that the viewer interacts with, then popular ones;
 * within each source, recent authors first.
 */
const SUGGESTED = statement<Row>(
  'suggestions',
  `with candidates as (
     select id, bool_or(featured) as featured, max(score) as score, min(place) as place from (
       (select account_id as id, true as featured, 0 as score, null::int as place from recommended_accounts
        order by position desc limit ${CANDIDATES})
       union all
       (select id, false, sum(weight)::int, null from (${INTERACTIONS}) i
        group by id order by 3 desc, 1 limit ${CANDIDATES})
       union all
       (select key::bigint, false, 0, place from rankings where kind = 'accounts'
        order by place limit ${CANDIDATES})
     ) c group by id
   )
   select c.featured, c.score, c.place, ${ACCOUNT_COLUMNS}
   from candidates c join accounts a on a.id = c.id ${ACCOUNT_STATS}
   where ${suggestedTo('$1')}
     and not exists (select from dismissed_suggestions d where d.account_id = $1 and d.target_account_id = a.id)
   order by c.featured desc, c.score > 0 desc,
     ac.last_status_at >= (now() at time zone 'utc')::date - 30 desc nulls last,
     c.score desc, c.place, ac.last_status_at desc nulls last, a.id
   limit $2`,
);

interface Row extends AccountRow {
  featured: boolean;
  score: number;
  /** The place among popular accounts. */
  place: number | null;
}

const query = z.object({ limit: limitParameter(40, 80) });
const shared = { method: 'GET', auth: 'user', scopes: ['read:accounts'], query } as const;

/** https://docs.joinmastodon.org/methods/suggestions/#v2 */
export const listSuggestions = endpoint({
  ...shared,
  path: '/api/v2/suggestions',
  summary: 'View accounts that you may want to follow, and why',
  reply: z.array(suggestionSchema),
  handler: async (ctx, { query: { limit } }) => {
    const rows = await suggested(ctx, limit);
    return { text: readyArray(rows.map(suggestionJson), ctx.instance) };
  },
});

/** https://docs.joinmastodon.org/methods/suggestions/#v1 */
export const listSuggestedAccounts = endpoint({
  ...shared,
  path: '/api/v1/suggestions',
  summary: 'View accounts that you may want to follow',
  deprecated: true,
  deprecatedOn: '2021-05-16',
  reply: z.array(accountSchema),
  handler: async (ctx, { query: { limit } }) => {
    const rows = await suggested(ctx, limit);
    return { text: readyArray(rows.map(accountJson), ctx.instance) };
  },
});

async function suggested(ctx: UserContext, limit: number): Promise<Row[]> {
  return ctx.db.query(SUGGESTED, [ctx.viewer.account_id, limit]);
}

function suggestionJson(row: Row): string {
  const { source, sources } = reasonsFor(row);
  return `{"source":"${source}","sources":${JSON.stringify(sources)},"account":${accountJson(row)}}`;
}

/** Of the documented sources, `most_interactions` is closest to the viewer's own favourites and reblogs. */
function reasonsFor({ featured, score, place }: Row): Pick<Suggestion, 'source' | 'sources'> {
  return {
    source: featured ? 'staff' : score > 0 ? 'past_interactions' : 'global',
    sources: [
      ...(featured ? (['featured'] as const) : []),
      ...(score > 0 ? (['most_interactions'] as const) : []),
      ...(place === null ? [] : (['most_followed'] as const)),
    ],
  };
}
