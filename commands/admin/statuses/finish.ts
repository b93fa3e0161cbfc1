import { decideResolveAnew, report, resolveReportsOf } from '#commands/reports/index.ts';
import { strikes } from '#commands/strikes/index.ts';
import { accountStream } from '#events/accounts.ts';
import type { StrikeAction } from '#events/moderation.ts';
import { reportStream } from '#events/reports.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { DOES, STATUS_ACTIONS, type StatusAction } from './moderate.ts';

/** An action that may be complete only in its strike. */
export interface UnfinishedSanction {
  accountId: Id;
  strikeId: Id;
  reportId: Id | null;
  /** The acting member of staff; null for the operator. */
  staffId: Id | null;
}

/**
 * Completes an action whose strike exists: on its posts, and on the reports that it resolves. Changes nothing
 * when all is done, when the strike was overruled, or when staff has since lifted a mark or reopened a
 * report. May run again.
 */
export async function finishSanction(
  ctx: CommandContext,
  { accountId, strikeId, reportId, staffId }: UnfinishedSanction,
  signal: AbortSignal,
): Promise<void> {
  const strike = (await ctx.load(accountStream(accountId), strikes)).strikes.get(strikeId);
  if (!strike || strike.appeal?.state === 'approved') return;
  const actor = staffId === null ? null : { account_id: staffId };
  const onPosts = statusActionOf(strike.action);
  if (!onPosts && strike.action !== 'none') {
    return resolveReportsOf(ctx, accountId, actor, { signal, filedBefore: strikeId });
  }
  if (onPosts) {
    for (const id of strike.statusIds) await DOES[onPosts](ctx, { id, accountId, strikeId });
  }
  if (reportId === null) return;
  await ctx.execute(reportStream(reportId), report, (state) => decideResolveAnew(state, actor));
}

/** Returns the action on posts that a strike stands for; undefined for an action on the account. */
const statusActionOf = (strike: StrikeAction): StatusAction | undefined =>
  (Object.keys(STATUS_ACTIONS) as StatusAction[]).find((action) => STATUS_ACTIONS[action] === strike);
