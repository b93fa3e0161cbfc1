import { account, requireBelow, type Staff, takeAction } from '#commands/accounts/index.ts';
import { decideResolve, report } from '#commands/reports/index.ts';
import { status } from '#commands/statuses/index.ts';
import { takeActionOnce } from '#commands/strikes/index.ts';
import { accountStream } from '#events/accounts.ts';
import { MAX_REPORTED_STATUSES, reportStream } from '#events/reports.ts';
import { statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { removeStatus, type Target } from './remove.ts';
import { sensitizeStatus } from './sensitize.ts';

/** Mastodon's names: `delete` in a batch of statuses, `delete_statuses` in a strike. */
export const STATUS_ACTIONS = {
  delete: 'delete_statuses',
  mark_as_sensitive: 'mark_statuses_as_sensitive',
} as const;
export type StatusAction = keyof typeof STATUS_ACTIONS;

/** The maximum of one report. */
export const MAX_STATUSES = MAX_REPORTED_STATUSES;

/** An action of staff on posts of one account, with its message to the author. */
export interface StatusSanction {
  action: StatusAction;
  statusIds: readonly Id[];
  text: string;
  reportId: Id | null;
  /** Whether to notify the author, also by mail. */
  notify: boolean;
  /** Refuses, and changes nothing, where the report is resolved already. */
  ifUnresolved?: boolean;
}

export const DOES: Record<StatusAction, (ctx: CommandContext, target: Target) => Promise<unknown>> = {
  delete: removeStatus,
  mark_as_sensitive: sensitizeStatus,
};

/**
 * Removes posts, or marks them as sensitive, by one strike; resolves the report that it was made for. The
 * strike comes first, so that `finishSanction` can do the rest where the process ends before that.
 * @throws RookeryError `not_found` where one of them is not the account's, before anything is done;
 * `forbidden` against equal or higher rank; `conflict` for a resolved report with `ifUnresolved`; `invalid`
 * for no post and for too many
 */
export async function moderateStatuses(
  ctx: CommandContext,
  accountId: Id,
  { action, statusIds, ifUnresolved = false, ...sanction }: StatusSanction,
  staff: (NonNullable<Staff> & { account_id: Id }) | undefined,
): Promise<void> {
  const ids = [...new Set(statusIds)];
  if (ids.length === 0) throw invalid("Validation failed: Status ids can't be blank");
  if (ids.length > MAX_STATUSES) throw invalid(`Validation failed: At most ${MAX_STATUSES} statuses at once`);
  requireBelow(await ctx.load(accountStream(accountId), account), staff);
  for (const id of ids) await requireStatusOf(ctx, id, accountId);
  const { reportId } = sanction;
  const strikeId = ctx.newId();
  const strike = { ...sanction, action: STATUS_ACTIONS[action], id: strikeId, statusIds: ids };
  if (ifUnresolved && reportId !== null) {
    await takeActionOnce(ctx, accountId, { ...strike, reportId }, staff);
  } else await takeAction(ctx, accountId, strike, staff);
  for (const id of ids) await DOES[action](ctx, { id, accountId, strikeId });
  if (reportId !== null) {
    const actor = staff ? { account_id: staff.account_id } : null;
    await ctx.execute(reportStream(reportId), report, (state) => decideResolve(state, actor));
  }
}

/** Returns the author of a post, local or remote, deleted or not. @throws RookeryError `not_found` */
export async function authorOf(ctx: CommandContext, id: Id): Promise<Id> {
  const state = await ctx.load(statusStream(id), status);
  if (state.state === 'none') throw notFound();
  return state.data.account_id;
}

async function requireStatusOf(ctx: CommandContext, id: Id, accountId: Id): Promise<void> {
  if ((await authorOf(ctx, id)) !== accountId) throw notFound();
}
