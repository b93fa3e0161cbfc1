import { accountStream } from '#events/accounts.ts';
import { reportStream } from '#events/reports.ts';
import type { CommandContext } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { decideAction, forgetTokens, type Sanction, type Staff } from '../accounts/index.ts';
import { decideResolve, type Report, report, requireFiled } from '../reports/index.ts';
import { type Strikes, strikes } from './strikes.ts';

/**
 * Takes an action because of an unresolved report, so that of several members of staff one acts. The strike is the
 * decision: it refuses the others, and after a stop behind it `finishSanction` resolves the report.
 * @throws RookeryError `conflict` for a report that is resolved, or that another strike answers; otherwise as
 * `takeAction`
 */
export async function takeActionOnce(
  ctx: CommandContext,
  accountId: Id,
  sanction: Sanction & { reportId: Id },
  staff: Staff,
): Promise<void> {
  await ctx.execute(
    accountStream(accountId),
    strikes,
    (state, reported: Report) => {
      const events = decideAction(state.account, sanction, staff);
      refuseAnswered(reported, state);
      return events;
    },
    { gather: () => ctx.load(reportStream(sanction.reportId), report) },
  );
  await forgetTokens(ctx, accountId);
}

/**
 * Resolves a report without an action, so that of several members of staff one decides.
 * @throws RookeryError `not_found`; `conflict` for a report that is resolved, or that a strike answers
 */
export async function resolveOnce(
  ctx: CommandContext,
  reportId: Id,
  { account_id }: { account_id: Id },
): Promise<void> {
  await ctx.execute(
    reportStream(reportId),
    report,
    (state, target: Strikes) => {
      refuseAnswered(state, target);
      return decideResolve(state, { account_id });
    },
    { gather: (state) => ctx.load(accountStream(requireFiled(state).target_account_id), strikes) },
  );
}

/**
 * Refuses a report that is decided. A strike answers its report before the report is resolved, except a strike from
 * before the report was reopened. Pure. @throws RookeryError `not_found`, `conflict`
 */
export function refuseAnswered(state: Report, target: Strikes): void {
  const { id, resolved, reopened, reopened_after } = requireFiled(state);
  const since = reopened ? reopened_after : '0';
  const isAnswer = (strikeId: Id): boolean => since !== undefined && BigInt(strikeId) > BigInt(since);
  const answered = [...target.strikes.values()].some(
    (strike) => strike.reportId === id && isAnswer(strike.id),
  );
  if (resolved || answered) throw new RookeryError('conflict', 'This report is resolved already');
}
