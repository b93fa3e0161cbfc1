import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { isId } from '#kernel/ids.ts';
import { formBoolean, orNothing } from '#kernel/input.ts';
import { jsonArray } from '#kernel/json-pieces.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import type { RowOf } from '#kernel/table/index.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { members } from '#mastodon/ready-json.ts';
import { queuedReportSchema } from '#mastodon/schemas/index.ts';
import type { REPORTS } from '#projections/reports.ts';
import { accountsById } from '#queries/entities/accounts-by-id.ts';

/** All staff members see all reports ($1 is the viewer, who may ask for their own ones). */
const PAGE = keysetStatement<QueueRow>(
  'admin_report_queue',
  (order) => `
    select r.id, r.category, r.comment, r.created_at, r.updated_at, r.action_taken_at, r.account_id, r.target_account_id,
      r.assigned_account_id, r.action_taken_by_account_id,
      (select count(*)::int from report_statuses s where s.report_id = r.id) as statuses_count,
      (select count(*)::int from report_notes n where n.report_id = r.id) as notes_count
    from reports r
    where r.id < $2 and r.id > $3 and (r.action_taken_at is not null) = $5
      and ($6::bigint is null or r.account_id = $6) and ($7::bigint is null or r.target_account_id = $7)
      and ($8::text is null or case $8 when 'me' then r.assigned_account_id = $1::bigint else r.assigned_account_id is null end)
      and (($9::boolean is null and $10::text is null) or exists (
        select from accounts t where t.id = r.target_account_id
          and ($9 is null or (t.domain is null) = $9) and ($10 is null or t.domain = $10)))
      and ($11::text is null or exists (select from accounts f where f.id = r.account_id and f.domain = $11))
    order by r.id ${order} limit $4`,
);

interface QueueRow extends Omit<RowOf<typeof REPORTS>, 'forward' | 'rule_ids' | 'collection_ids'> {
  statuses_count: number;
  notes_count: number;
}

const account = z.string().max(40).optional();
const domain = z
  .string()
  .max(500)
  .transform((text) => text.trim() || undefined)
  .optional();

/** Reports without their evidence, newest first. Mastodon has these filters only on its web pages. */
export const listReportQueue = endpoint({
  method: 'GET',
  path: '/api/v1/admin/reports/queue',
  summary: 'View reports without their evidence, by more filters',
  auth: 'user',
  scopes: ['admin:read:reports'],
  permission: 'manage_reports',
  query: z.object({
    ...pageParameters(20, 100),
    resolved: formBoolean
      .optional()
      .describe('Whether resolved reports are listed rather than unresolved ones; false by default.'),
    assigned: orNothing(z.enum(['me', 'nobody'])).describe(
      'Whose reports: those assigned to `me`, or to `nobody`; all by default.',
    ),
    target_origin: orNothing(z.enum(['local', 'remote'])).describe(
      'Where the reported account is: `local` or `remote`; both by default.',
    ),
    by_target_domain: domain.describe('The domain of the server of the reported account.'),
    by_reporter_domain: domain.describe('The domain of the server from which the report came.'),
    account_id: account.describe('The ID of the account that filed the reports.'),
    target_account_id: account.describe('The ID of the reported account.'),
  }),
  reply: z.array(queuedReportSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, PAGE, query, ({ id }) => id, [
      query.resolved === true,
      accountOf(query.account_id),
      accountOf(query.target_account_id),
      query.assigned ?? null,
      query.target_origin == null ? null : query.target_origin === 'local',
      domainOf(query.by_target_domain),
      domainOf(query.by_reporter_domain),
    ]);
    const accounts = await accountsById(ctx, rows.flatMap(accountsOf));
    return { text: jsonArray(rows.map((row) => queuedJson(row, accounts))), page };
  },
});

/** Text that is no id matches no account. */
const accountOf = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : isId(text) ? text : '0';

/** Text that is no domain matches no server. */
const domainOf = (text: string | undefined): string | null =>
  text === undefined ? null : (canonicalDomain(text) ?? text);

const ACCOUNTS = [
  ['account', 'account_id'],
  ['target_account', 'target_account_id'],
  ['assigned_account', 'assigned_account_id'],
  ['action_taken_by_account', 'action_taken_by_account_id'],
] as const;

const accountsOf = (row: QueueRow): (string | null)[] => ACCOUNTS.map(([, column]) => row[column]);

function queuedJson(row: QueueRow, accounts: ReadonlyMap<string, string>): string {
  const { id, category, comment, created_at, updated_at, action_taken_at } = row;
  const { statuses_count, notes_count } = row;
  const facts = { id, category, comment, created_at, updated_at, action_taken_at };
  const people = ACCOUNTS.map(
    ([name, column]) => `"${name}":${accounts.get(row[column] ?? '') ?? 'null'}`,
  ).join(',');
  return `{${members({ ...facts, statuses_count, notes_count })},${people}}`;
}
