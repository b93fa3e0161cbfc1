import type { UserContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { json, jsonArray, type JsonPieces } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import { members } from '#mastodon/ready-json.ts';
import type { APPEALS, WARNINGS } from '#projections/account-warnings.ts';
import { adminAccounts } from '#queries/entities/admin-account.ts';
import { type NamedStatuses, REPORTED_VERSIONS, versionsOf } from '#queries/strikes/index.ts';
import { reportedTexts } from '../reports/index.ts';

/** The columns of appeals `p` for staff; posts appear in the versions that the report named. */
export const ADMIN_APPEALS = `select p.id, p.state, p.text, p.note, p.created_at, p.closed_at, p.account_id, p.decided_by_account_id,
     w.id as strike_id, w.action, w.text as strike_text, w.created_at as struck_at, w.overruled_at, w.report_id,
     w.staff_account_id, ${REPORTED_VERSIONS}
   from appeals p join account_warnings w on w.id = p.strike_id join accounts a on a.id = p.account_id`;

export interface AdminAppealRow
  extends
    NamedStatuses,
    RowOf<typeof APPEALS>,
    Pick<RowOf<typeof WARNINGS>, 'action' | 'overruled_at' | 'report_id' | 'staff_account_id'> {
  strike_text: string;
  struck_at: string;
}

const ONE = statement<AdminAppealRow>('admin_appeal', `${ADMIN_APPEALS} where p.id = $1`);

/** Returns an appeal as staff see it. @throws RookeryError `not_found` */
export async function adminAppealText(ctx: UserContext, id: Id): Promise<JsonPieces> {
  const [text] = await adminAppealTexts(ctx, await ctx.db.query(ONE, [id]));
  if (!text) throw notFound();
  return text;
}

/** Returns appeals in the order of the rows, with a constant number of statements. */
export async function adminAppealTexts(
  ctx: UserContext,
  rows: readonly AdminAppealRow[],
): Promise<JsonPieces[]> {
  const versions = rows.flatMap(versionsOf);
  const [accounts, statusText] = await Promise.all([
    adminAccounts(ctx, rows.flatMap(accountsOf)),
    reportedTexts(ctx, versions),
  ]);
  return rows.map((row) => {
    const [account, decider, imposer] = accountsOf(row).map(
      (id) => (id === null ? undefined : accounts.get(id)) ?? 'null',
    );
    const { id, state, text, note, created_at, closed_at } = row;
    const facts = members({ id, state, text, note, created_at, closed_at, strike: strikeFacts(row) });
    const statuses = jsonArray(
      versionsOf(row)
        .map(statusText)
        .filter((each) => each !== undefined),
    );
    return json`{${facts},"account":${account ?? ''},"decided_by_account":${decider ?? ''},"imposed_by_account":${imposer ?? ''},"statuses":${statuses}}`;
  });
}

const strikeFacts = (row: AdminAppealRow): Record<string, unknown> => ({
  id: row.strike_id,
  action: row.action,
  text: row.strike_text,
  created_at: row.struck_at,
  overruled_at: row.overruled_at,
  report_id: row.report_id,
});

const accountsOf = (row: AdminAppealRow): (string | null)[] => [
  row.account_id,
  row.decided_by_account_id,
  row.staff_account_id,
];
