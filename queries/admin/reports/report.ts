import type { RequestContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import { json, jsonArray, type JsonPieces } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import { members } from '#mastodon/ready-json.ts';
import type { REPORTS } from '#projections/reports.ts';
import { adminAccounts } from '#queries/entities/admin-account.ts';
import { citedRules, REPORT_COLUMNS, type ReportColumns, reportFacts } from '#queries/reports/index.ts';
import { reportedTexts, type ReportedVersion } from './evidence.ts';

/** The columns of reports `r` for staff. */
export const ADMIN_REPORT_COLUMNS = `${REPORT_COLUMNS}, r.account_id, r.target_account_id, r.updated_at,
  r.assigned_account_id, r.action_taken_by_account_id,
  array(select rs.version_id::text from report_statuses rs where rs.report_id = r.id order by rs.place) as version_ids`;

export interface AdminReportRow extends ReportColumns, Omit<RowOf<typeof REPORTS>, 'forward'> {
  /** One for each of `status_ids`. */
  version_ids: string[];
}

const ONE = statement<AdminReportRow>(
  'admin_report',
  `select ${ADMIN_REPORT_COLUMNS} from reports r where r.id = $1`,
);

/** Returns a report as staff see it. @throws RookeryError `not_found` */
export async function adminReportText(ctx: RequestContext, id: string): Promise<JsonPieces> {
  const [text] = await adminReportTexts(ctx, await ctx.db.query(ONE, [id]));
  if (!text) throw notFound();
  return text;
}

/**
 * Returns reports in the order of the rows, with a constant number of statements; one less for a single row whose
 * rules are `known` as JSON.
 * https://docs.joinmastodon.org/entities/Admin_Report/
 */
export async function adminReportTexts(
  ctx: RequestContext,
  rows: readonly AdminReportRow[],
  known: { rules?: string } = {},
): Promise<JsonPieces[]> {
  const reported = rows.flatMap(statusesOf);
  const cited = known.rules === undefined ? [...new Set(rows.flatMap(rulesOf))] : [];
  const [accounts, statusText, rules] = await Promise.all([
    adminAccounts(ctx, rows.flatMap(accountsOf)),
    reportedTexts(ctx, reported),
    citedRules(ctx.db, cited),
  ]);
  return rows.map((row) => {
    const [account, target, assigned, actor] = accountsOf(row).map(
      (id) => (id === null ? undefined : accounts.get(id)) ?? 'null',
    );
    const facts = members({ ...reportFacts(row), updated_at: row.updated_at });
    const statuses = jsonArray(
      statusesOf(row)
        .map(statusText)
        .filter((text) => text !== undefined),
    );
    const texts = rulesOf(row).flatMap((id) => rules.texts.get(id) ?? []);
    return json`{${facts},"account":${account ?? ''},"target_account":${target ?? ''},"assigned_account":${assigned ?? ''},"action_taken_by_account":${actor ?? ''},"statuses":${statuses},"collection_ids":${row.collection_ids},"rules":${known.rules ?? JSON.stringify(texts)}}`;
  });
}

const accountsOf = (row: AdminReportRow): (string | null)[] => [
  row.account_id,
  row.target_account_id,
  row.assigned_account_id,
  row.action_taken_by_account_id,
];

const statusesOf = ({ status_ids, version_ids }: AdminReportRow): ReportedVersion[] =>
  status_ids.map((status_id, place) => ({ status_id, version_id: version_ids[place] ?? status_id }));

const rulesOf = ({ rule_ids }: AdminReportRow): string[] => JSON.parse(rule_ids) as string[];
