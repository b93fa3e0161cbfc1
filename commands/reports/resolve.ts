import { unresolvedReports } from '../../queries/reports/index.ts';
import { reportStream, type ReportEvent } from '../../src/events/reports.ts';
import { forEachBelow } from '../../src/kernel/batches.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { report, requireFiled, type Report } from './report.ts';

/** The member of staff who resolves; null where no person does. */
export type Actor = { account_id: Id } | null;

/**
 * Resolves all unresolved reports of an account: what any action of staff against it does. May be repeated. A report that
 * a user files at this moment may stay. `filedBefore`: only those with lower IDs that staff has not opened again.
 */
export async function resolveReportsOf(
  ctx: CommandContext,
  targetAccountId: Id,
  actor: Actor,
  { signal = new AbortController().signal, filedBefore }: { signal?: AbortSignal; filedBefore?: Id } = {},
): Promise<void> {
  const decide = filedBefore === undefined ? decideResolve : decideResolveAnew;
  const below = (id: Id): Id =>
    filedBefore !== undefined && BigInt(filedBefore) < BigInt(id) ? filedBefore : id;
  await forEachBelow(
    (before, limit) => unresolvedReports(ctx.db, targetAccountId, below(before), limit),
    ({ id }) => ctx.execute(reportStream(id), report, (state) => decide(state, actor)),
    { signal },
  );
}

/** Once. Pure. @throws RookeryError `not_found` */
export function decideResolve(state: Report, actor: Actor): ReportEvent[] {
  const { id, resolved } = requireFiled(state);
  return resolved ? [] : [{ type: 'ReportResolved', data: { id, account_id: actor?.account_id ?? null } }];
}

/** As `decideResolve`, but not a report that staff has opened again. Pure. @throws RookeryError `not_found` */
export const decideResolveAnew = (state: Report, actor: Actor): ReportEvent[] =>
  requireFiled(state).reopened ? [] : decideResolve(state, actor);
