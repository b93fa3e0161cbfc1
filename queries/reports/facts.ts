import type { ReportedStatus } from '#events/reports.ts';
import { notFound } from '#kernel/errors.ts';
import { type Id, isId } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { parseReady } from '#mastodon/ready-json.ts';
import { profileShownTo } from '../visibility/accounts.ts';
import { wasShownTo } from '../visibility/federation.ts';
import { reportableBy } from '../visibility/statuses.ts';

const TARGET = statement<{ collection_ids: string[] }>(
  'report_target',
  `select array(select c.id::text from collections c
     where c.account_id = a.id and c.id = any($3) and ${profileShownTo('$1')}) as collection_ids
   from accounts a where a.id = $2 and not a.suspended`,
);
const VERSION = `s.id, s.media, coalesce((select max(e.edit_id) from status_edits e where e.status_id = s.id), s.id) as version_id`;
const FLAGGED = statement<Row>(
  'report_flagged_statuses',
  `select ${VERSION} from statuses s
   where s.id = any($1) and s.account_id = $2 and s.local and s.reblog_of_id is null and ${wasShownTo('$3::text')} order by s.id`,
);
const STATUSES = statement<Row>(
  'report_statuses',
  `select ${VERSION}
   from statuses s join accounts a on a.id = s.account_id
   where s.id = any($3) and s.account_id = $2 and ${reportableBy('$1')}`,
);

/** The subject of a report. */
export interface Reported {
  accountId: Id;
  statusIds: readonly string[];
  collectionIds: readonly string[];
}

/**
 * Returns the present versions of the reported statuses, by id. @throws RookeryError `not_found` for an
 * account that is unknown or suspended, and for statuses and collections that are not the account's or that
 * the reporter may not see
 */
export async function reportedStatuses(
  db: Db,
  reporterId: Id,
  { accountId, statusIds, collectionIds }: Reported,
): Promise<ReportedStatus[]> {
  if (![...statusIds, ...collectionIds].every(isId)) throw notFound();
  const [[target], rows] = await Promise.all([
    db.query(TARGET, [reporterId, accountId, collectionIds]),
    db.query(STATUSES, [reporterId, accountId, statusIds]),
  ]);
  if (target?.collection_ids.length !== collectionIds.length) throw notFound();
  const found = new Map(rows.map((row) => [row.id, row]));
  return statusIds.map((id) => {
    const row = found.get(id);
    if (!row) throw notFound();
    return reported(row);
  });
}

/** Returns the present versions of the statuses of a local account that users of another server could see. */
export const flaggedStatuses = async (
  db: Db,
  accountId: Id,
  statusIds: readonly Id[],
  host: string,
): Promise<ReportedStatus[]> => (await db.query(FLAGGED, [statusIds, accountId, host])).map(reported);

interface Row {
  id: string;
  media: string | null;
  version_id: string;
}

const reported = ({ id, version_id, media }: Row): ReportedStatus => ({
  id,
  version_id,
  media_ids: mediaIds(media),
});

const mediaIds = (media: string | null): string[] =>
  media === null ? [] : (parseReady(media) as { id: string }[]).map(({ id }) => id);
