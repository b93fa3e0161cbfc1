import { z } from 'zod';
import type { CommandContext, RequestContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import { jsonArray, type JsonPieces, parseJson } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import { adminTrendsStatusSchema, statusSchema } from '#mastodon/schemas/index.ts';
import { findReported, findStatuses } from '../statuses/index.ts';
import { notMutedBy, visibleTo } from '../visibility/statuses.ts';
import { allows, statusReview } from './allowed.ts';
import { preferredLanguages } from './languages.ts';
import { trendList, trendListForStaff } from './lists.ts';

const PAGE = statement<{ id: string }>(
  'trends_statuses',
  `select s.id from rankings r
   join statuses s on s.id = r.key::bigint and s.visibility = 'public' join accounts a on a.id = s.account_id
   where r.kind = 'statuses' and ${allows(statusReview('s.id'))} and ${visibleTo('$1')} and ${notMutedBy('$1')}
   order by coalesce(s.language = any($4::text[]), false) desc, r.place offset $2 limit $3`,
);
const COLUMNS = `s.id, ${statusReview('s.id')} is null as requires_review`;
export const REVIEWABLE = `s.visibility = 'public' and s.reblog_of_id is null and not s.deleted and not a.suspended`;
/** Staff members see posts of accounts that they mute or that block them, too. */
const FOR_STAFF = statement<StaffRow>(
  'admin_trends_statuses',
  `select ${COLUMNS} from rankings r join statuses s on s.id = r.key::bigint join accounts a on a.id = s.account_id
   where r.kind = 'statuses' and ${REVIEWABLE} order by r.place offset $1 limit $2`,
);
const ONE = statement<StaffRow>(
  'admin_trends_status',
  `select ${COLUMNS} from statuses s join accounts a on a.id = s.account_id where s.id = $1 and ${REVIEWABLE}`,
);

/** https://docs.joinmastodon.org/methods/trends/#statuses */
export const trendingStatuses = trendList({
  path: '/api/v1/trends/statuses',
  what: 'posts',
  limit: { usual: 20, most: 40 },
  statement: PAGE,
  values: async (ctx) => [await preferredLanguages(ctx)],
  reply: z.array(statusSchema),
  text: async (ctx, rows: readonly { id: string }[]) => {
    const statuses = await findStatuses(
      ctx,
      rows.map(({ id }) => id),
    );
    return jsonArray(statuses.filter((status) => status !== undefined));
  },
});

interface StaffRow {
  id: string;
  requires_review: boolean;
}

async function forStaff(ctx: RequestContext, rows: readonly StaffRow[]): Promise<string[]> {
  const found = await findReported(
    ctx,
    rows.map(({ id }) => id),
  );
  return found.flatMap((status, index) => (status ? [withReview(status, rows[index])] : []));
}

const withReview = (status: JsonPieces, row: StaffRow | undefined): string =>
  JSON.stringify({ ...(parseJson(status) as object), requires_review: row?.requires_review === true });

/** https://docs.joinmastodon.org/methods/admin/trends/#statuses */
export const adminTrendingStatuses = trendListForStaff({
  path: '/api/v1/admin/trends/statuses',
  what: 'posts',
  limit: { usual: 20, most: 100 },
  statement: FOR_STAFF,
  reply: z.array(adminTrendsStatusSchema),
  text: async (ctx, rows: readonly StaffRow[]) => jsonArray(await forStaff(ctx, rows)),
});

/** Returns the id of a public post. @throws RookeryError `not_found` for any other */
export async function trendableStatus(ctx: CommandContext, id: string): Promise<string> {
  const [row] = await ctx.db.query(ONE, [id]);
  if (!row) throw notFound();
  return row.id;
}

/** Returns one post as staff see it. @throws RookeryError `not_found` when it is deleted */
export async function adminStatusText(ctx: RequestContext, id: string): Promise<string> {
  const [text] = await forStaff(ctx, await ctx.db.query(ONE, [id]));
  if (text === undefined) throw notFound();
  return text;
}
