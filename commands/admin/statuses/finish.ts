import { accountStream } from '../../../src/events/accounts.ts';
import type { StrikeAction } from '../../../src/events/moderation.ts';
import { reportStream } from '../../../src/events/reports.ts';
import type { CommandContext } from '../../../src/kernel/context.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { decideResolveAnew, report, resolveReportsOf } from '../../reports/index.ts';
import { strikes } from '../../strikes/index.ts';
import { DOES, STATUS_ACTIONS, type StatusAction } from './moderate.ts';

/** A measure of which only the strike is certain. */
export interface UnfinishedMeasure {
  accountId: Id;
  strikeId: Id;
  reportId: Id | null;
  /** The member of staff who acted; null for the operator. */
  staffId: Id | null;
}

/**
 * Does what is missing of a measure whose strike is there: to its posts, and to the reports that it resolves. It changes nothing where all
 * was done, where the strike was overruled, and where staff took a mark back or opened a report again since. May be repeated.
 */
export async function finishMeasure(
  ctx: CommandContext,
  { accountId, strikeId, reportId, staffId }: UnfinishedMeasure,
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

/** The action on posts that a strike stands for; undefined for an action on the account. */
const statusActionOf = (strike: StrikeAction): StatusAction | undefined =>
  (Object.keys(STATUS_ACTIONS) as StatusAction[]).find((action) => STATUS_ACTIONS[action] === strike);
