import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { isId } from '#kernel/ids.ts';
import { formBoolean, idParams } from '#kernel/input.ts';
import { jsonArray } from '#kernel/json-pieces.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { adminReportSchema } from '#mastodon/schemas/index.ts';
import { ADMIN_REPORT_COLUMNS, type AdminReportRow, adminReportText, adminReportTexts } from './report.ts';

/** All staff members see all reports ($1 is the viewer). */
const PAGE = keysetStatement<AdminReportRow>(
  'admin_reports',
  (order) => `
    select ${ADMIN_REPORT_COLUMNS} from reports r
    where $1::bigint is not null and r.id < $2 and r.id > $3 and (r.action_taken_at is not null) = $5
      and ($6::bigint is null or r.account_id = $6) and ($7::bigint is null or r.target_account_id = $7)
    order by r.id ${order} limit $4`,
);

const account = z.string().max(40).optional();

/**
 * https://docs.joinmastodon.org/methods/admin/reports/#get. Unresolved reports, unless resolved ones are
 * requested, as in Mastodon.
 */
export const listAdminReports = endpoint({
  method: 'GET',
  path: '/api/v1/admin/reports',
  summary: 'View reports, as staff',
  auth: 'user',
  scopes: ['admin:read:reports'],
  permission: 'manage_reports',
  query: z.object({
    ...pageParameters(100, 200),
    resolved: formBoolean
      .optional()
      .describe('Whether resolved reports are listed rather than unresolved ones; false by default.'),
    account_id: account.describe('The ID of the account that filed the reports.'),
    target_account_id: account.describe('The ID of the reported account.'),
  }),
  reply: z.array(adminReportSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, PAGE, query, ({ id }) => id, [
      query.resolved === true,
      accountOf(query.account_id),
      accountOf(query.target_account_id),
    ]);
    return { text: jsonArray(await adminReportTexts(ctx, rows)), page };
  },
});

/** Text that is no id matches no account. */
const accountOf = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : isId(text) ? text : '0';

/** https://docs.joinmastodon.org/methods/admin/reports/#get-one */
export const showAdminReport = endpoint({
  method: 'GET',
  path: '/api/v1/admin/reports/:id',
  summary: 'View a report, as staff',
  auth: 'user',
  scopes: ['admin:read:reports'],
  permission: 'manage_reports',
  params: idParams,
  reply: adminReportSchema,
  handler: async (ctx, { params: { id } }) => {
    return { text: await adminReportText(ctx, id) };
  },
});
