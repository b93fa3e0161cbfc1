import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { json } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import { reportCaseSchema } from '#mastodon/schemas/index.ts';
import { notesWhere, reportsWhere, strikesAgainst } from './history.ts';
import { ADMIN_REPORT_COLUMNS, type AdminReportRow, adminReportTexts } from './report.ts';

/**
 * The next report is the one filed before, because the queue begins with the newest; after the last one it begins anew.
 */
const CASE = statement<CaseRow>(
  'admin_report_case',
  `select ${ADMIN_REPORT_COLUMNS}, ${notesWhere('= r.id')} as notes,
     ${reportsWhere('target_account_id', 'r.target_account_id', 'r.id')} as about_target,
     ${reportsWhere('account_id', 'r.account_id', 'r.id')} as by_reporter,
     ${strikesAgainst('r.target_account_id')} as strikes,
     coalesce((select max(o.id) from reports o where o.action_taken_at is null and o.id < r.id),
       (select max(o.id) from reports o where o.action_taken_at is null and o.id > r.id))::text as next_id,
     (select min(o.id) from reports o where o.action_taken_at is null and o.id > r.id)::text as previous_id,
     (select coalesce(json_agg(json_build_object('id', c.id::text, 'text', c.text, 'hint', c.hint, 'translations', c.translations) order by c.position), '[]')
      from instance_rules c where c.id::text in (select json_array_elements_text(r.rule_ids::json)))::text as rules
   from reports r where r.id = $1`,
);

interface CaseRow extends AdminReportRow {
  next_id: string | null;
  previous_id: string | null;
  /** JSON texts, like the following. */
  notes: string;
  about_target: string;
  by_reporter: string;
  strikes: string;
  rules: string;
}

/** A report with what is known about both sides. */
export const showReportCase = endpoint({
  method: 'GET',
  path: '/api/v1/admin/reports/:id/case',
  summary: 'View a report with its notes, and with earlier reports and strikes of both sides',
  auth: 'user',
  scopes: ['admin:read:reports'],
  permission: 'manage_reports',
  params: idParams,
  reply: reportCaseSchema,
  handler: async (ctx, { params: { id } }) => {
    const [row] = await ctx.db.query(CASE, [id]);
    if (!row) throw notFound();
    const [report] = await adminReportTexts(ctx, [row], { rules: row.rules });
    const places = `"next_id":${JSON.stringify(row.next_id)},"previous_id":${JSON.stringify(row.previous_id)}`;
    return {
      text: json`{"report":${report ?? ''},"notes":${row.notes},"about_target":${row.about_target},"by_reporter":${row.by_reporter},"strikes":${row.strikes},${places}}`,
    };
  },
});
