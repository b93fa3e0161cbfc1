import { appealableSince, appealableUntil } from '#events/appeals.ts';
import { type Db, statement } from '#kernel/read.ts';
import { timeAfter } from '#kernel/time.ts';
import { heldAsEvidence } from '../reports/index.ts';

const UNATTACHED = statement<{ id: string }>(
  'media_unattached',
  `select m.id from media_attachments m
   where m.status_id is null and m.unattached_since <= $1 and not m.id = any($2) and not ${heldAsEvidence('m.id', '$3')}
   order by m.unattached_since, m.id limit 100`,
);
const NEXT = statement<{ since: string }>(
  'media_unattached_next',
  `select unattached_since as since from media_attachments
   where status_id is null and unattached_since > $1 order by unattached_since limit 1`,
);
/** Few strikes have uploads that wait for them: one wasted lookup costs less than finding out. */
const NEXT_STRIKE = statement<{ created_at: string }>(
  'media_next_strike',
  `select created_at from account_warnings where (report_id is not null or action = 'delete_statuses') and created_at >= $1 order by created_at limit 1`,
);

/**
 * Returns at most 100 uploads that no status has used for `keptFor` milliseconds at `now` (ISO 8601), except
 * those in `except` and those that staff may still need; and the time at which there may be more.
 */
export async function unattachedMedia(
  db: Db,
  { now, keptFor, except }: { now: string; keptFor: number; except: readonly string[] },
): Promise<{ ids: string[]; next: string | undefined }> {
  const since = timeAfter(now, -keptFor);
  const struckSince = appealableSince(now);
  const [rows, [free], [strike]] = await Promise.all([
    db.query(UNATTACHED, [since, except, struckSince]),
    db.query(NEXT, [since]),
    db.query(NEXT_STRIKE, [struckSince]),
  ]);
  const moments = [
    ...(free ? [timeAfter(free.since, keptFor)] : []),
    // The last moment is included.
    ...(strike ? [timeAfter(appealableUntil(strike.created_at), 1)] : []),
  ];
  return { ids: rows.map(({ id }) => id), next: moments.sort()[0] };
}
