import { accountStream, type AccountEvent } from '../../src/events/accounts.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { invalid } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { account, requireUser, type Account } from './account.ts';

export interface Move {
  /** An account that this server knows. Whoever gives the command answers for it that both are the same person's. */
  target_account_id: Id;
  /** ISO 8601. */
  moved_at: string;
  /** Also where the account has moved elsewhere already. */
  force: boolean;
}

/** Moves a local account to another one. Its followers go along later, by a reactor. @throws RookeryError as `decideMove` */
export async function migrateAccount(
  ctx: CommandContext,
  accountId: Id,
  { targetId, force = false }: { targetId: Id; force?: boolean },
): Promise<void> {
  const move = { target_account_id: targetId, moved_at: ctx.now, force };
  await ctx.execute(accountStream(accountId), account, (state) => decideMove(state, move));
}

/** Gives a local account that has moved back to its user. */
export async function cancelMigration(ctx: CommandContext, accountId: Id): Promise<void> {
  await ctx.execute(accountStream(accountId), account, decideCancelMove);
}

/**
 * Pure. Where it has moved there already, nothing happens.
 * @throws RookeryError `not_found` for no local account; `invalid` for a move to itself, or elsewhere without force
 */
export function decideMove(state: Account, { target_account_id, moved_at, force }: Move): AccountEvent[] {
  const { id: account_id, movedTo } = requireUser(state).account;
  if (account_id === target_account_id) throw invalid('An account cannot move to itself');
  if (movedTo === target_account_id) return [];
  if (movedTo !== null && !force) throw invalid('The account has moved to another account already');
  return [{ type: 'AccountMoved', data: { account_id, target_account_id, moved_at } }];
}

/** Pure. @throws RookeryError `not_found` for no local account */
export function decideCancelMove(state: Account): AccountEvent[] {
  const { id: account_id, movedTo } = requireUser(state).account;
  return movedTo === null ? [] : [{ type: 'AccountMoveCancelled', data: { account_id } }];
}
