import { handlesOf, type KnownHandle } from '../../queries/accounts/index.ts';
import { namedAccounts } from '../../queries/federation/index.ts';
import { accountStream, type AccountEvent } from '../../src/events/accounts.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { invalid } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { account, requireUser, type Account } from './account.ts';
import { hasJustMoved } from './moves-state.ts';
import { findSuccessor, type Successor } from './successor.ts';

interface Manner {
  /** Whether followers are led there; if not, the account only says where the person is now. */
  withFollowers?: boolean;
  /** By the operator, who answers for it: past what is to keep people from mistakes, and from leading others around. */
  force?: boolean;
}

export interface Move extends Required<Manner> {
  target_account_id: Id;
  /** ISO 8601. */
  moved_at: string;
}

/**
 * Moves a local account to the one that a handle or web address (`to`) names, whose server is asked. Followers go along later.
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
  await migrateAccount(ctx, accountId, { targetId: successor.id, withFollowers, force });
}

/** Moves to a known account, on the caller's responsibility. @throws RookeryError as `decideMove` */
export async function migrateAccount(
  ctx: CommandContext,
  accountId: Id,
  { targetId, withFollowers = true, force = false }: Manner & { targetId: Id },
): Promise<void> {
  const move = { target_account_id: targetId, moved_at: ctx.now, withFollowers, force };
  await ctx.execute(accountStream(accountId), account, (state) => decideMove(state, move));
}

/** Gives a local account that has moved back to its user. Followers stay where they are. @throws RookeryError `not_found` */
export async function cancelMigration(ctx: CommandContext, accountId: Id): Promise<void> {
  await ctx.execute(accountStream(accountId), account, decideCancelMove);
}

/** Tells of the last move once more, for servers that have not heard of it. @throws RookeryError as `decideReplay` */
export async function replayMove(ctx: CommandContext, accountId: Id): Promise<void> {
  await ctx.execute(accountStream(accountId), account, decideReplay);
}

/** Where a local account has moved to. */
export interface PresentMove {
  /** Null for nowhere. */
  to: KnownHandle | null;
  withFollowers: boolean;
  /** It may not lead its followers away (again) yet. */
  hasJustMoved: boolean;
}

/** Returns the facts that the owner needs before moving. @throws RookeryError `not_found` */
export async function presentMove(ctx: CommandContext, accountId: Id): Promise<PresentMove> {
  const { moves } = requireUser(await ctx.load(accountStream(accountId), account)).account;
  const to = moves.to === null ? null : ((await handlesOf(ctx.db, [moves.to])).get(moves.to) ?? null);
  return { to, withFollowers: moves.withFollowers, hasJustMoved: hasJustMoved(moves, ctx.now) };
}

/** Pure. `uri` is that of the account that moves. @throws RookeryError `invalid` for an account that cannot take its place */
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
 * Pure. Where it has moved there already, nothing happens; from a mere redirect it may go on to a move.
 * @throws RookeryError `not_found` for no local account; `invalid` for a move to itself, and without force elsewhere, or with
 * followers within 30 days
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

/** Pure. As it was, with its time. @throws RookeryError `not_found` for no local account; `invalid` for one that has not moved */
export function decideReplay(state: Account): AccountEvent[] {
  const { id: account_id, moves } = requireUser(state).account;
  const { to: target_account_id, withFollowers: with_followers, lastAt: moved_at } = moves;
  if (target_account_id === null || !with_followers || moved_at === null) {
    throw invalid('The account has not moved with its followers');
  }
  return [{ type: 'AccountMoved', data: { account_id, target_account_id, moved_at, with_followers } }];
}

/** Pure. @throws RookeryError `not_found` for no local account */
export function decideCancelMove(state: Account): AccountEvent[] {
  const { id: account_id, moves } = requireUser(state).account;
  return moves.to === null ? [] : [{ type: 'AccountMoveCancelled', data: { account_id } }];
}
