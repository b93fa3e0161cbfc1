import type { ScheduledParams } from '#events/scheduled-statuses.ts';
import type { RequestContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import { members } from '#mastodon/ready-json.ts';
import type { ScheduledStatusRow } from '#projections/scheduled-statuses.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { attachmentsById } from '../media/index.ts';

export const COLUMNS = 'id, account_id, application_id, scheduled_at, params, media_ids';

const ONE = statement<ScheduledStatusRow>(
  'scheduled_status_one',
  `select ${COLUMNS} from scheduled_statuses where id = $1 and account_id = $2`,
);
const IS_WAITING = statement('scheduled_status_is_waiting', 'select from scheduled_statuses where id = $1');
const COUNTS = statement<{ total: number; same_day: number }>(
  'scheduled_status_counts',
  `select (count(*) filter (where not id = any($2::bigint[])))::int as total,
     (count(*) filter (where (scheduled_at at time zone 'UTC')::date = $3::date and not id = any($4::bigint[])))::int
       as same_day
   from scheduled_statuses where account_id = $1`,
);
const DUE = statement<{ id: string }>(
  'scheduled_status_due',
  `select id from scheduled_statuses where scheduled_at <= $1 and not id = any($2) order by scheduled_at limit 100`,
);
const NEXT = statement<{ next: string | null }>(
  'scheduled_status_next',
  'select min(scheduled_at) as next from scheduled_statuses where scheduled_at > $1',
);

/** Returns the viewer's own scheduled status as ready JSON. @throws RookeryError `not_found` */
export async function scheduledStatusText(
  ctx: Pick<RequestContext, 'db' | 'instance' | 'viewer'>,
  id: string,
): Promise<string> {
  const [row] = await ctx.db.query(ONE, [id, ctx.viewer?.account_id ?? null]);
  if (!row) throw notFound();
  return fillOrigins((await scheduledStatusesJson(ctx.db, [row])).join(), ctx.instance);
}

/** Returns https://docs.joinmastodon.org/entities/ScheduledStatus/ as ready JSON, without hosts. */
export async function scheduledStatusesJson(
  db: Db,
  rows: readonly Omit<ScheduledStatusRow, 'account_id'>[],
): Promise<string[]> {
  const media = await attachmentsById(
    db,
    rows.flatMap((row) => row.media_ids),
  );
  return rows.map((row) => scheduledStatusJson(row, media));
}

/** Returns true if the id is that of a post that is still scheduled. */
export const isScheduled = async (db: Db, id: string): Promise<boolean> =>
  (await db.query(IS_WAITING, [id])).length > 0;

function scheduledStatusJson(
  row: Omit<ScheduledStatusRow, 'account_id'>,
  attachments: ReadonlyMap<string, string>,
): string {
  const params = JSON.parse(row.params) as ScheduledParams;
  const shown = members({
    ...params,
    // Older events have no policy when the user left it to the settings.
    quote_approval_policy: params.quote_approval_policy ?? 'public',
    media_ids: row.media_ids.length === 0 ? null : row.media_ids,
    scheduled_at: null,
    idempotency: null,
    with_rate_limit: false,
  });
  const head = members({ id: row.id, scheduled_at: row.scheduled_at });
  // The id has more digits than JavaScript's numbers hold.
  const all = `{${shown},"application_id":${row.application_id}}`;
  const media = row.media_ids.flatMap((id) => attachments.get(id) ?? []).join(',');
  return `{${head},"params":${all},"media_attachments":[${media}]}`;
}

/**
 * Returns the number of an account's scheduled posts: in total without those of `ids`, and on a day (UTC)
 * without those of `idsOfDay`.
 */
export async function scheduledCounts(
  db: Db,
  accountId: string,
  { ids, day, idsOfDay }: { ids: readonly string[]; day: string; idsOfDay: readonly string[] },
): Promise<{ total: number; sameDay: number }> {
  const [row] = await db.query(COUNTS, [accountId, ids, day, idsOfDay]);
  return { total: row?.total ?? 0, sameDay: row?.same_day ?? 0 };
}

/**
 * Returns the ids of the oldest hundred that are due at a time, without `except`; and the time of the next
 * one.
 */
export async function dueScheduled(
  db: Db,
  now: string,
  except: readonly string[],
): Promise<{ ids: string[]; next: string | undefined }> {
  const [due, [later]] = await Promise.all([db.query(DUE, [now, except]), db.query(NEXT, [now])]);
  return { ids: due.map(({ id }) => id), next: later?.next ?? undefined };
}
