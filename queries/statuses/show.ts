import { z } from 'zod';
import { idList, idParams } from '../../src/kernel/input.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import type { RequestContext, UserContext } from '../../src/kernel/context.ts';
import { batcherPer } from '../../src/kernel/batcher.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { statusSchema } from '../entities/schemas/index.ts';
import { fillOrigins, readyArray } from '../entities/ready-json.ts';
import { STATUS_COLUMNS, STATUS_JOINS, statusJson, type StatusRow } from '../entities/status.ts';
import { visibleTo } from '../visibility/statuses.ts';

const SHOW = statement(
  'status_show',
  `select ${STATUS_COLUMNS} from statuses s ${STATUS_JOINS} where s.id = $1 and ${visibleTo('$2')}`,
);
const SHOW_MANY = statement(
  'statuses_show',
  `select ${STATUS_COLUMNS} from statuses s ${STATUS_JOINS} where s.id = any($1) and ${visibleTo('$2')}
   order by s.id desc`,
);

const SHOW_EACH = statement(
  'status_show_each',
  `select ${STATUS_COLUMNS}, (q.n - 1)::int as place
   from unnest($1::bigint[], $2::bigint[]) with ordinality as q (id, viewer, n)
   join statuses s on s.id = q.id ${STATUS_JOINS} where ${visibleTo('q.viewer')}`,
);

/** Statuses, each as its reader may see it, in as few queries as requests that come together allow. */
const shown = batcherPer<Db, { statusId: string; viewerId: string | null }, StatusRow>(
  (db) => async (keys) => {
    const [only] = keys;
    if (only && keys.length === 1) return db.query<StatusRow>(SHOW, [only.statusId, only.viewerId]);
    const columns = [keys.map(({ statusId }) => statusId), keys.map(({ viewerId }) => viewerId)];
    const rows = await db.query<StatusRow & { place: number }>(SHOW_EACH, columns);
    const found = new Map(rows.map((row) => [row.place, row]));
    return keys.map((_, place) => found.get(place));
  },
);

/** A status as ready JSON, as this reader sees it. @throws RookeryError `not_found` also when it is hidden */
export async function statusText(ctx: RequestContext, statusId: string): Promise<string> {
  const viewerId = ctx.viewer?.account_id;
  const row = await shown(ctx.db).get({ statusId, viewerId: viewerId ?? null });
  if (!row) throw notFound();
  return fillOrigins(statusJson(row, viewerId), ctx.instance);
}

const SOURCE = statement(
  'status_own_source',
  `select ${STATUS_COLUMNS}, s.text from statuses s ${STATUS_JOINS}
   where s.id = $1 and s.account_id = $2 and not s.deleted`,
);

/**
 * An own status with its source text in place of its content, to write it anew.
 * @throws RookeryError `not_found`
 */
export async function sourceText(ctx: UserContext, statusId: string): Promise<string> {
  const viewerId = ctx.viewer.account_id;
  const [row] = await ctx.db.query<StatusRow & { text: string | null }>(SOURCE, [statusId, viewerId]);
  if (!row) throw notFound();
  const { content: _, ...rest } = JSON.parse(fillOrigins(statusJson(row, viewerId), ctx.instance)) as Record<
    string,
    unknown
  >;
  return JSON.stringify({ ...rest, text: row.text ?? '' });
}

export const showStatus = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id',
  summary: 'View a status',
  auth: 'optional',
  scopes: ['read:statuses'],
  params: idParams,
  reply: statusSchema,
  handler: async (ctx, { params }) => {
    await ctx.settle([MAIN]);
    return { text: await statusText(ctx, params.id) };
  },
});

/** Those of the ids that exist and may be seen; at most 20, as Mastodon's default page. */
export const showStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/statuses',
  summary: 'View several statuses',
  auth: 'optional',
  scopes: ['read:statuses'],
  query: z.object({ id: idList(20) }),
  reply: z.array(statusSchema),
  handler: async (ctx, { query }) => {
    await ctx.settle([MAIN]);
    const viewerId = ctx.viewer?.account_id;
    const rows = await ctx.db.query<StatusRow>(SHOW_MANY, [query.id, viewerId ?? null]);
    const found = new Map(rows.map((row) => [row.id, statusJson(row, viewerId)]));
    return {
      text: readyArray(
        query.id.flatMap((id) => found.get(id) ?? []),
        ctx.instance,
      ),
    };
  },
});
