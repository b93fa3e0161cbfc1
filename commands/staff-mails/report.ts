import type { ReportCategory } from '#events/reports.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { handlesOf, type KnownHandle } from '#queries/accounts/index.ts';
import { unresolvedReports } from '#queries/reports/index.ts';
import { reportMail } from '../mails/index.ts';
import { mailStaff } from './mail-staff.ts';

/**
 * Mails a new report to the staff who manage reports. As in Mastodon, they get no second mail about an
 * account while an earlier report of it is open. The read models must contain the report. @throws as
 * `mailStaff`
 */
export async function mailReport(
  ctx: CommandContext,
  report: { id: Id; account_id: Id; target_account_id: Id; category: ReportCategory },
): Promise<void> {
  const { id, account_id, target_account_id, category } = report;
  if ((await unresolvedReports(ctx.db, target_account_id, id, 1)).length > 0) return;
  const handles = await handlesOf(ctx.db, [account_id, target_account_id]);
  const { domain, origin } = ctx.instance;
  const reporter = reporterName(handles.get(account_id));
  const target = acctOf(handles.get(target_account_id));
  await mailStaff(ctx, 'manage_reports', reportMail({ domain, origin, id, reporter, target, category }));
}

const acctOf = (handle: KnownHandle | undefined): string | undefined =>
  handle && (handle.domain === null ? handle.username : `${handle.username}@${handle.domain}`);

/** Reports of other servers come in the name of the server. */
function reporterName(handle: KnownHandle | undefined): string {
  if (!handle) return 'An account that is gone';
  return handle.domain === null ? `@${handle.username}` : `Somebody on ${handle.domain}`;
}
