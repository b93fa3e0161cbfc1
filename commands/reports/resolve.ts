import { unresolvedReports } from '../../queries/reports/index.ts';
import { reportStream, type ReportEvent } from '../../src/events/reports.ts';
import { forEachBelow } from '../../src/kernel/batches.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { report, requireFiled, type Report } from './report.ts';

/** Who resolves; null where no person does. */
export type Actor = { account_id: Id } | null;

/**
 * Resolves all unresolved reports of an account: what any action of staff against it does. May be repeated. A report that
 * somebody files at this moment may stay.
 */
export async function resolveReportsOf(
  ctx: CommandContext,
  targetAccountId: Id,
  actor: Actor,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  await ctx.settle([MAIN]);
  await forEachBelow(
    (before, limit) => unresolvedReports(ctx.db, targetAccountId, before, limit),
    ({ id }) => ctx.execute(reportStream(id), report, (state) => decideResolve(state, actor)),
    { signal },
  );
  await ctx.settle([MAIN]);
}

/** Once. Pure. @throws RookeryError `not_found` */
export function decideResolve(state: Report, actor: Actor): ReportEvent[] {
  const { id, resolved } = requireFiled(state);
  return resolved ? [] : [{ type: 'ReportResolved', data: { id, account_id: actor?.account_id ?? null } }];
}
