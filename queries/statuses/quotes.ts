import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { BACK_BY_SINCE_ID, keysetStatement, pageParameters } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { notMutedBy, visibleTo } from '../visibility/statuses.ts';
import { listStatuses } from './page.ts';
import { ofShownStatus } from './shown.ts';
import { visibleTarget } from './target.ts';

/** Reblogs of quoting posts are no quotes. */
const QUOTES = keysetStatement<{ id: string }>(
  'status_quotes',
  (order) => `
    select s.id from statuses s join accounts a on a.id = s.account_id
    where s.quote_id = $5 and s.id < $2 and s.id > $3 and s.quote_state = 'accepted' and s.reblog_of_id is null
      and ${visibleTo('$1')} and ${notMutedBy('$1')}
    order by s.id ${order} limit $4`,
  BACK_BY_SINCE_ID,
);
/** A post stays visible as a quote to accounts that its author blocked later, because it was public. */
const KNOWN = statement<{ id: string }>(
  'status_quote_known',
  `select s.id from statuses s join accounts a on a.id = s.account_id
   where s.id = $1 and s.quote_id = $2 and s.reblog_of_id is null and not s.deleted
     and (s.visibility in ('public', 'unlisted') or ${visibleTo('$3')})`,
);
const URL_OF = statement<{ url: string }>(
  'status_quoted_url',
  'select coalesce(url, uri) as url from statuses where id = $1',
);

/** https://docs.joinmastodon.org/methods/statuses/#quotes */
export const listQuotes = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/quotes',
  summary: 'See quotes of a status',
  auth: 'user',
  scopes: ['read:statuses'],
  ...ofShownStatus,
  query: z.object(pageParameters(20, 40)),
  reply: z.array(statusSchema),
  handler: async (ctx, { params, query }) => {
    const { id } = await visibleTarget(ctx, params.id);
    return listStatuses(ctx, QUOTES, query, [id]);
  },
});

/**
 * Throws RookeryError `not_found` unless one post quotes (or quoted) the other and this user could know of
 * it.
 */
export async function requireKnownQuote(
  ctx: UserContext,
  quotingId: string,
  quotedId: string,
): Promise<void> {
  const [row] = await ctx.db.query(KNOWN, [quotingId, quotedId, ctx.viewer.account_id]);
  if (!row) throw notFound();
}

/** Returns the web address of a post that another one quotes, also when it is deleted. */
export async function quotedUrl(db: Db, statusId: string): Promise<string | undefined> {
  const [row] = await db.query(URL_OF, [statusId]);
  return row?.url;
}
