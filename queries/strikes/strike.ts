import { appealableUntil, type AppealState } from '#events/appeals.ts';
import type { ReportCategory } from '#events/reports.ts';
import type { Instance, RequestContext } from '#kernel/context.ts';
import { notFound, signInNeeded } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import { members } from '#mastodon/ready-json.ts';
import type { WARNINGS } from '#projections/account-warnings.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { CITED_TEXTS } from './grounds.ts';

/** The columns of strikes `w`, for their own account only. */
export const STRIKES = `select w.id, w.action, w.text, w.status_ids, w.created_at, w.overruled_at,
     p.id as appeal_id, p.state as appeal_state, p.text as appeal_text, p.note as appeal_note,
     p.created_at as appealed_at, p.closed_at, r.category,
     case when r.id is not null then ${CITED_TEXTS} end as rules, ${ACCOUNT_COLUMNS}
   from account_warnings w join accounts a on a.id = w.account_id ${ACCOUNT_STATS}
     left join appeals p on p.strike_id = w.id left join reports r on r.id = w.report_id`;

export interface StrikeRow
  extends
    AccountRow,
    Pick<RowOf<typeof WARNINGS>, 'id' | 'action' | 'text' | 'status_ids' | 'created_at' | 'overruled_at'> {
  appeal_id: string | null;
  appeal_state: AppealState;
  appeal_text: string;
  appeal_note: string;
  appealed_at: string;
  closed_at: string | null;
  /** Null without a report, like the rules. */
  category: ReportCategory | null;
  rules: string[] | null;
}

const ONE = statement<StrikeRow>('strike', `${STRIKES} where w.id = $2 and w.account_id = $1`);

/** Returns a strike against the viewer as JSON. @throws RookeryError `not_found` */
export async function strikeText(
  { db, viewer, instance }: Pick<RequestContext, 'db' | 'viewer' | 'instance'>,
  id: Id,
): Promise<string> {
  if (!viewer) throw signInNeeded();
  const [row] = await db.query(ONE, [viewer.account_id, id]);
  if (!row) throw notFound();
  return strikeJson(row, instance);
}

/** Members beyond Mastodon's AccountWarning are Rookery's own. */
export const strikeJson = (row: StrikeRow, instance: Instance): string =>
  withAccount(row, instance, {
    ...warningFacts(row),
    grounds: row.category === null ? null : { category: row.category, rules: row.rules ?? [] },
    appeal: row.appeal_id === null ? null : appealFacts(row),
    appealable_until: row.appeal_id === null ? appealableUntil(row.created_at) : null,
    overruled_at: row.overruled_at,
  });

/** https://docs.joinmastodon.org/entities/AccountWarning/, which has no state for a withdrawn appeal. */
export const warningJson = (row: StrikeRow, instance: Instance): string => {
  const { appeal_id, appeal_state: state, appeal_text: text } = row;
  const appeal = appeal_id === null || state === 'withdrawn' ? null : { text, state };
  return withAccount(row, instance, { ...warningFacts(row), appeal });
};

const withAccount = (row: StrikeRow, instance: Instance, facts: Record<string, unknown>): string =>
  `{${members(facts)},"target_account":${fillOrigins(accountJson(row), instance)}}`;

function warningFacts({ id, action, text, created_at, status_ids }: StrikeRow): Record<string, unknown> {
  const ids = JSON.parse(status_ids) as string[];
  return { id, action, text, created_at, status_ids: ids.length === 0 ? null : ids };
}

const appealFacts = (row: StrikeRow): Record<string, unknown> => ({
  id: row.appeal_id,
  state: row.appeal_state,
  text: row.appeal_text,
  created_at: row.appealed_at,
  closed_at: row.closed_at,
  note: row.appeal_note,
});
