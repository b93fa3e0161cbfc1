import { appealableSince } from '#events/appeals.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { heldAsEvidence } from './evidence.ts';

const UNRESOLVED = statement<{ id: string }>(
  'reports_unresolved',
  `select id from reports where target_account_id = $1 and id < $2 and action_taken_at is null
   order by id desc limit $3`,
);
const ABOUT = statement<{ status_ids: Id[] }>(
  'report_about',
  `select array(select s.status_id::text from report_statuses s where s.report_id = r.id order by s.place) as status_ids
   from reports r where r.id = $1 and r.target_account_id = $2`,
);
const SUBJECT = statement<{ account_id: Id; status_ids: Id[] }>(
  'report_subject',
  `select r.target_account_id as account_id,
     array(select s.status_id::text from report_statuses s where s.report_id = r.id order by s.place) as status_ids
   from reports r where r.id = $1`,
);
const GONE = statement<{ id: Id }>(
  'report_gone_target',
  `select r.target_account_id as id from reports r join accounts a on a.id = r.target_account_id
   where r.id = $1 and a.gone`,
);
const EVIDENCE = statement<{ id: Id }>(
  'reports_hold_media',
  `select asked.id from unnest($1::bigint[]) as asked (id) where ${heldAsEvidence('asked.id', '$2')}`,
);

/** Returns unresolved reports about an account with ids below `before`, newest first. */
export const unresolvedReports = (db: Db, accountId: Id, before: Id, limit: number): Promise<{ id: Id }[]> =>
  db.query(UNRESOLVED, [accountId, before, limit]);

/** Returns the subject of a report, if its own server deleted the account. */
export const goneTarget = async (db: Db, reportId: Id): Promise<Id | undefined> =>
  (await db.query(GONE, [reportId]))[0]?.id;

/**
 * Returns the statuses that a report about an account names. @throws RookeryError `not_found` when there is
 * no such report about it
 */
export async function reportAbout(db: Db, reportId: Id, accountId: Id): Promise<{ status_ids: Id[] }> {
  const [row] = await db.query(ABOUT, [reportId, accountId]);
  if (!row) throw notFound();
  return row;
}

/** Returns the subject of a report, and the reported statuses. @throws RookeryError `not_found` */
export async function reportSubject(db: Db, reportId: Id): Promise<{ account_id: Id; status_ids: Id[] }> {
  const [row] = await db.query(SUBJECT, [reportId]);
  if (!row) throw notFound();
  return row;
}

/**
 * Returns those of these uploads that staff may still need at a time (ISO 8601), so that they are not removed
 * yet.
 */
export async function mediaInEvidence(db: Db, ids: readonly Id[], now: string): Promise<ReadonlySet<Id>> {
  if (ids.length === 0) return new Set();
  const rows = await db.query(EVIDENCE, [ids, appealableSince(now)]);
  return new Set(rows.map(({ id }) => id));
}
