import { batcherPerDb } from '#kernel/batcher.ts';
import type { Instance, RequestContext } from '#kernel/context.ts';
import type { JsonPieces } from '#kernel/json-pieces.ts';
import { type Db, statement } from '#kernel/read.ts';
import { unwantedBy } from '../entities/quote.ts';
import {
  type Filtered,
  type FoundStatus,
  type OwnRow,
  statusJson,
  type StatusWithInner,
  UNFILTERED,
} from '../entities/status.ts';
import { ownColumns, statusJoins } from '../entities/status-columns.ts';
import { filtersAt, type ViewerFilters } from '../filters/index.ts';
import { visibleTo } from '../visibility/statuses.ts';
import { referredBy } from './referred-entities.ts';
import { VERSIONS, type Versions, withShared } from './rendered-status-cache.ts';

/** The role of a row: the requested status, the reblogged, the quoted one, and its quoted one. */
const PLACES = ['status', 'reblog', 'quoted', 'nested'] as const;

const NEEDED = {
  s: ['id', 'xmin', 'account_id', 'deleted', 'visibility', 'conversation_id', 'quote_policy', 'poll_id'],
  a: ['id', 'xmin', 'suspended', 'domain', 'moved_to'],
};
type Alias = keyof typeof NEEDED;
const needed = (column: (alias: Alias, name: string) => string, aliases: Alias[] = ['s', 'a']): string =>
  aliases.flatMap((alias) => NEEDED[alias].map((name) => column(alias, name))).join(', ');
const HAND_ON = needed((alias, name) => `${alias}.${name} as ${alias}_${name}`);

/**
 * The columns of a status `s` and its author `a` that a source of `selectFound` hands on, so that neither is
 * looked up twice.
 */
export const FOUND_COLUMNS = `${HAND_ON}, s.reblog_of_id, s.quote_id`;

/**
 * SQL for statuses with the statuses inside of them, each as its own viewer may see it. `source` selects the
 * wanted ones: `FOUND_COLUMNS`, a `slot` (a distinct integer for each), and the viewer's id as `viewer`,
 * `filters_revision` and `mutes_threads`. `known` is a condition for rows that the viewer may see in any
 * case; there, `q` is the source, and `inside.place` an index of `PLACES`.
 */
export const selectFound = (source: string, known: string): string =>
  `select q.slot, inside.place, q.filters_revision, ${VERSIONS},
     case when inside.place >= 2 then ${unwantedBy('q.viewer')} end as unwanted,
     ${ownColumns('q.viewer', 'q.mutes_threads')}
   from (${source}) as q
   cross join lateral (
     select 0 as place, ${needed((alias, name) => `q.${alias}_${name}`)}
     union all
     select part.place, ${HAND_ON}
     from (
       select 1, q.reblog_of_id
       union all select 2, q.quote_id
       union all select 3, (select quoted.quote_id from statuses quoted where quoted.id = q.quote_id)
     ) as part (place, id)
     join statuses s on s.id = part.id join accounts a on a.id = s.account_id
     where q.reblog_of_id is not null or q.quote_id is not null
   ) as inside
   cross join lateral (select ${needed((alias, name) => `inside.${alias}_${name} as ${name}`, ['s'])}) s
   cross join lateral (select ${needed((alias, name) => `inside.${alias}_${name} as ${name}`, ['a'])}) a
   ${statusJoins('q.viewer')}
   where (${known}) or ${visibleTo('q.viewer')}`;

/**
 * The selects around the arrays hide their lengths from the planner, which would make a new plan for each
 * short array. That takes ten times as long as the query.
 */
const ASKED = `select (asked.n - 1)::int as slot, asked.viewer, asked.touched, fr.revision as filters_revision,
       true as mutes_threads, ${FOUND_COLUMNS}
     from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::bool[]))
       with ordinality as asked (id, viewer, touched, n)
     join statuses s on s.id = asked.id join accounts a on a.id = s.account_id
     left join filter_revisions fr on fr.account_id = asked.viewer`;
const FIND = statement<RowOfFind>(
  'statuses_find',
  selectFound(ASKED, 'q.touched and inside.place = 0 and not s.deleted'),
);
/** Finds the status and the one that it reblogs at any visibility, even when deleted. */
const FIND_ANY = statement<RowOfFind>('statuses_find_any', selectFound(ASKED, 'inside.place < 2'));

type Key = { statusId: string; viewerId: string | null; touched: boolean; instance: Instance };
export interface RowOfFind extends Versions, OwnRow {
  id: string;
  slot: number;
  place: number;
  /** Null for a viewer who never had a filter: nothing is matched. */
  filters_revision: string | null;
}
export type Found = StatusWithInner<FoundStatus<RowOfFind>>;

/** All lookups in one turn of the event loop become one query. */
const statuses = batcherPerDb<Key, Found>((db) => async (keys) => {
  const rows = await db.query(FIND, [
    keys.map(({ statusId }) => statusId),
    keys.map(({ viewerId }) => viewerId),
    keys.map(({ touched }) => touched),
  ]);
  const [key] = keys;
  return key ? foundBySlot(db, key.instance, rows) : [];
});

/** Combines rows by their slots; undefined for absent and hidden ones. At most one statement. */
export async function foundBySlot(
  db: Db,
  instance: Instance,
  rows: readonly RowOfFind[],
): Promise<(Found | undefined)[]> {
  const found: Partial<Found>[] = [];
  for (const status of await withShared(db, instance, rows)) {
    const { slot, place } = status.own;
    const name = PLACES[place];
    if (name) (found[slot] ??= {})[name] = status;
  }
  return Array.from(found, (parts) => parts && whole(parts));
}

/** A reblog is hidden from viewers who may not see its post. */
function whole({ status, reblog, quoted, nested }: Partial<Found>): Found | undefined {
  if (!status || (status.shared.reblog_of_id !== null && !reblog)) return undefined;
  return { status, reblog, quoted, nested };
}

/**
 * Returns statuses as JSON for the viewer of the context, in the order of the ids; undefined for an absent or
 * hidden one. One or two statements for up to a hundred; one more if any links to a collection, and one if the author of a linked page is known. `touched`
 * shows statuses that their author now hides: only for a viewer who has just undone an interaction (see
 * `targetViewerInteractedWith`).
 */
export async function findStatuses(
  ctx: RequestContext,
  ids: readonly string[],
  { touched = false }: { touched?: boolean } = {},
): Promise<(JsonPieces | undefined)[]> {
  const viewerId = ctx.viewer?.account_id;
  const batch = statuses(ctx.db);
  const found = await Promise.all(
    ids.map((statusId) =>
      batch.get({ statusId, viewerId: viewerId ?? null, touched, instance: ctx.instance }),
    ),
  );
  const render = await rendererOf(ctx, found);
  return found.map((rows) => rows && render(rows));
}

/**
 * Returns reported statuses for staff, and for their author: including deleted ones, at any visibility, and
 * without the viewer's filters. Never for other viewers.
 */
export async function findReported(
  ctx: RequestContext,
  ids: readonly string[],
): Promise<(JsonPieces | undefined)[]> {
  const viewerId = ctx.viewer?.account_id;
  const rows = await ctx.db.query(FIND_ANY, [ids, ids.map(() => viewerId ?? null), ids.map(() => false)]);
  const found = await foundBySlot(ctx.db, ctx.instance, rows);
  const reader = { viewerId, instance: ctx.instance, ...(await referredBy(ctx, found)) };
  return ids.map((_, slot) => {
    const each = found[slot];
    return each && statusJson(each, reader, UNFILTERED);
  });
}

export async function rendererOf(
  ctx: RequestContext,
  found: readonly (Found | undefined)[],
): Promise<(found: Found) => JsonPieces> {
  const [filters, entities] = await Promise.all([filtersFor(ctx, found), referredBy(ctx, found)]);
  const reader = { viewerId: ctx.viewer?.account_id, instance: ctx.instance, ...entities };
  return (each) => statusJson(each, reader, filters ? filteredBy(filters, each) : UNFILTERED);
}

/** Returns the visible statuses among them, like `findStatuses`. */
export async function findPresent(ctx: RequestContext, ids: readonly string[]): Promise<JsonPieces[]> {
  return (await findStatuses(ctx, ids)).filter((status) => status !== undefined);
}

/** Returns the viewer's filters at the revision that came with the rows; undefined without filters. */
async function filtersFor(
  { db, viewer }: RequestContext,
  found: readonly (Found | undefined)[],
): Promise<ViewerFilters | undefined> {
  const revision = found.find((each) => each !== undefined)?.status.own.filters_revision ?? null;
  return viewer && revision !== null ? filtersAt(db, viewer.account_id, revision) : undefined;
}

/** For a reblog, filters match the reblogged status; both have the same result, as in Mastodon. */
function filteredBy(filters: ViewerFilters, { status, reblog, quoted }: Found): Filtered {
  const { plain } = (reblog ?? status).shared;
  return {
    status: filters.matchJson({ statusId: status.own.id, reblogOfId: reblog?.own.id, text: plain }),
    quoted: quoted ? filters.matchJson({ statusId: quoted.own.id, text: quoted.shared.plain }) : '[]',
  };
}
