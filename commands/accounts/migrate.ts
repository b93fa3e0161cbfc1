import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { invalid } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { handlesOf, type KnownHandle } from '#queries/accounts/index.ts';
import { namedAccounts } from '#queries/federation/index.ts';
import { useCase } from '../use-case.ts';
import { type Account, account, requireUser } from './account.ts';
import { hasJustMoved } from './moves-state.ts';
import { findSuccessor, type Successor } from './successor.ts';

interface Manner {
  /** Whether followers move too. Otherwise the account only redirects to the new one. */
  withFollowers?: boolean;
  /**
   * The operator skips the checks that protect users from mistakes, and followers from being moved around.
   */
  force?: boolean;
}

export interface Move extends Required<Manner> {
  target_account_id: Id;
  /** ISO 8601. */
  moved_at: string;
}

/**
 * Moves a local account to the one of a handle or web address (`to`), which is fetched from its server.
 * Followers move later.
 * @throws RookeryError as `findSuccessor`, `checkSuccessor` and `decideMove`
 */
export async function moveAccount(
  ctx: CommandContext,
  accountId: Id,
  { to, withFollowers = true, force = false }: Manner & { to: string },
): Promise<void> {
  const successor = await findSuccessor(ctx, to);
  const uri = (await namedAccounts(ctx.db, [accountId])).get(accountId)?.uri ?? '';
  if (successor.id !== accountId) checkSuccessor(successor, { uri, withFollowers, force });
  await migrateAccount(ctx, { accountId, targetId: successor.id, withFollowers, force });
}

/** Moves to a known account, on the caller's responsibility. @throws RookeryError as `decideMove` */
export const migrateAccount = useCase({
  prepare: (
    { now },
    { accountId, targetId, withFollowers = true, force = false }: Manner & { accountId: Id; targetId: Id },
  ) => ({ accountId, move: { target_account_id: targetId, moved_at: now, withFollowers, force } }),
  stream: ({ accountId }) => accountStream(accountId),
  decider: account,
  decide: (state, { move }) => decideMove(state, move),
});

/** Ends the move of a local account. Followers stay where they are. @throws RookeryError `not_found` */
export const cancelMigration = useCase({ stream: accountStream, decider: account, decide: decideCancelMove });

/** Announces the last move again, for servers that missed it. @throws RookeryError as `decideReplay` */
export const replayMove = useCase({ stream: accountStream, decider: account, decide: decideReplay });

/** The present move of a local account. */
export interface PresentMove {
  /** Null without one. */
  to: KnownHandle | null;
  withFollowers: boolean;
  /** Its followers may not be moved (again) yet. */
  hasJustMoved: boolean;
}

/** Returns the facts that the owner needs before moving. @throws RookeryError `not_found` */
export async function presentMove(ctx: CommandContext, accountId: Id): Promise<PresentMove> {
  const { moves } = requireUser(await ctx.load(accountStream(accountId), account)).account;
  const to = moves.to === null ? null : ((await handlesOf(ctx.db, [moves.to])).get(moves.to) ?? null);
  return { to, withFollowers: moves.withFollowers, hasJustMoved: hasJustMoved(moves, ctx.now) };
}

/**
 * `uri` is that of the moving account. Pure. @throws RookeryError `invalid` for an account that cannot
 * succeed it
 */
export function checkSuccessor(
  { alsoKnownAs, hasMoved, suspended }: Successor,
  { uri, withFollowers, force }: Required<Manner> & { uri: string },
): void {
  if (suspended) throw invalid('The new account is suspended on this server.');
  if (hasMoved) throw invalid('The new account has moved to another one itself.');
  if (withFollowers && !force && !alsoKnownAs.includes(uri)) {
    throw invalid('The new account does not name this one as an alias. Add the alias there first.');
  }
}

/**
 * Decides nothing when it has moved there already; a redirect may become a move. Pure.
 * @throws RookeryError `not_found` for an account that is not local; `invalid` for a move to itself, and
 * without force elsewhere, or with followers within 30 days
 */
export function decideMove(state: Account, { withFollowers, force, ...move }: Move): AccountEvent[] {
  const { id: account_id, moves } = requireUser(state).account;
  const { target_account_id, moved_at } = move;
  if (account_id === target_account_id) throw invalid('An account cannot move to itself');
  const isThere = moves.to === target_account_id;
  if (isThere && (moves.withFollowers || !withFollowers)) return [];
  if (!force && moves.to !== null && !isThere) {
    throw invalid('The account has moved to another account already');
  }
  if (!force && withFollowers && hasJustMoved(moves, moved_at)) {
    throw invalid('The account has moved less than 30 days ago');
  }
  return [{ type: 'AccountMoved', data: { account_id, ...move, with_followers: withFollowers } }];
}

/**
 * Repeats the move with its original time. Pure. @throws RookeryError `not_found` for an account that is not
 * local; `invalid` for one that has not moved
 */
export function decideReplay(state: Account): AccountEvent[] {
  const { id: account_id, moves } = requireUser(state).account;
  const { to: target_account_id, withFollowers: with_followers, lastAt: moved_at } = moves;
  if (target_account_id === null || !with_followers || moved_at === null) {
    throw invalid('The account has not moved with its followers');
  }
  return [{ type: 'AccountMoved', data: { account_id, target_account_id, moved_at, with_followers } }];
}

/** Pure. @throws RookeryError `not_found` for an account that is not local */
export function decideCancelMove(state: Account): AccountEvent[] {
  const { id: account_id, moves } = requireUser(state).account;
  return moves.to === null ? [] : [{ type: 'AccountMoveCancelled', data: { account_id } }];
}
