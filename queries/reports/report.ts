import type { RequestContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import { members } from '#mastodon/ready-json.ts';
import type { REPORTS } from '#projections/reports.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';

/**
 * The columns of a report `r` for everyone who may see it; fields such as `action_taken_by` are for staff
 * only.
 */
export const REPORT_COLUMNS = `r.id, r.action_taken_at, r.category, r.comment, r.created_at, r.rule_ids, r.collection_ids,
  r.forward and exists (
    select from accounts there where there.id = r.target_account_id and there.domain is not null) as forwarded,
  array(select rs.status_id::text from report_statuses rs where rs.report_id = r.id order by rs.place) as status_ids`;

export interface ReportColumns extends Pick<
  RowOf<typeof REPORTS>,
  'id' | 'action_taken_at' | 'category' | 'comment' | 'created_at' | 'rule_ids' | 'collection_ids'
> {
  forwarded: boolean;
  status_ids: string[];
}

const FIND = statement<ReportColumns & AccountRow>(
  'reports_find',
  `select ${REPORT_COLUMNS}, ${ACCOUNT_COLUMNS}
   from reports r join accounts a on a.id = r.target_account_id ${ACCOUNT_STATS} where r.id = any($1)`,
);

/**
 * Returns the common members of Report and Admin::Report. A report about a local account is not forwarded.
 */
export const reportFacts = (row: ReportColumns) => ({
  id: row.id,
  action_taken: row.action_taken_at !== null,
  action_taken_at: row.action_taken_at,
  category: row.category,
  comment: row.comment,
  created_at: row.created_at,
  forwarded: row.forwarded,
});

/**
 * Returns https://docs.joinmastodon.org/entities/Report/ as JSON texts, by id: for the reporter, and for
 * staff. The staff member who handles it is left out.
 */
export async function reportTexts(
  { db, instance }: Pick<RequestContext, 'db' | 'instance'>,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query(FIND, [ids]);
  return new Map(rows.map((row) => [row.id, fillOrigins(reportJson(row), instance)]));
}

/** Throws RookeryError `not_found`. */
export async function reportText(ctx: Pick<RequestContext, 'db' | 'instance'>, id: Id): Promise<string> {
  const text = (await reportTexts(ctx, [id])).get(id);
  if (text === undefined) throw notFound();
  return text;
}

function reportJson(row: ReportColumns & AccountRow): string {
  const rules = row.rule_ids === '[]' ? 'null' : row.rule_ids;
  return (
    `{${members({ ...reportFacts(row), status_ids: row.status_ids })},"collection_ids":${row.collection_ids},` +
    `"rule_ids":${rules},"target_account":${accountJson(row)}}`
  );
}
