import { type ReportEvent, reportStream } from '#events/reports.ts';
import { forEachBelow } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { unresolvedReports } from '#queries/reports/index.ts';
import { type Report, report, requireFiled } from './report.ts';

/** The member of staff who resolves; null when no user does. */
export type Actor = { account_id: Id } | null;

/**
 * Resolves all open reports of an account, as any action of staff against it does. May run again. May miss a
 * report that a user files at this moment. `filedBefore` restricts it to reports with lower ids that staff
 * has not reopened.
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

/** Decides once. Pure. @throws RookeryError `not_found` */
export function decideResolve(state: Report, actor: Actor): ReportEvent[] {
  const { id, resolved } = requireFiled(state);
  return resolved ? [] : [{ type: 'ReportResolved', data: { id, account_id: actor?.account_id ?? null } }];
}

/** Like `decideResolve`, except for a report that staff reopened. Pure. @throws RookeryError `not_found` */
export const decideResolveAnew = (state: Report, actor: Actor): ReportEvent[] =>
  requireFiled(state).reopened ? [] : decideResolve(state, actor);
