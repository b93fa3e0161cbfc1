import { accountStream, type AccountEvent } from '../../src/events/accounts.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { forbidden } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { account, requireUser, type Account, type ExistingAccount } from './account.ts';
import { requireBelow, type Staff } from './moderate.ts';

/**
 * Decides that an account goes for good. The reactor `erasures` does the rest (`commands/erasure`), in this or another process.
 * Nobody is answered with the account's tokens from here on.
 * @throws RookeryError as `decideErase`
 */
export async function eraseAccount(ctx: CommandContext, accountId: Id, staff: Staff): Promise<void> {
  await ctx.execute(accountStream(accountId), account, (state) => decideErase(state, staff));
  await finish(ctx, accountId);
}

/**
 * The same for one's own account; that the password was asked for is the matter of who calls.
 * @throws RookeryError as `decideEraseOwn`
 */
export async function eraseOwnAccount(ctx: CommandContext, accountId: Id): Promise<void> {
  await ctx.execute(accountStream(accountId), account, decideEraseOwn);
  await finish(ctx, accountId);
}

/** From here on nobody is answered with the account's tokens. */
async function finish(ctx: CommandContext, accountId: Id): Promise<void> {
  await ctx.services.tokens.revokeAllOf(accountId);
  await ctx.settle([MAIN]);
}

/**
 * Owners stay: without any, nobody could change the server by its API. The role can be taken from them by who runs it. Pure.
 * @throws RookeryError `not_found`, `forbidden`
 */
export function decideEraseOwn(state: Account): AccountEvent[] {
  const { account: mine, user } = requireUser(state);
  if (user.role === 'Owner') throw forbidden(OWNERS_STAY);
  return erasing(mine);
}

export const OWNERS_STAY =
  'You are an owner of this server, so your account cannot be deleted here. Whoever runs the server can take the role from you first.';

/** It is hidden at once; what it did is taken back by and by. */
const erasing = ({ id, suspended }: ExistingAccount): AccountEvent[] => {
  const data = { account_id: id };
  const erased: AccountEvent = { type: 'AccountErased', data };
  return suspended ? [erased] : [{ type: 'AccountSuspended', data }, erased];
};

/**
 * Staff erase what was suspended before, as in Mastodon; the operator suspends by it. Pure.
 * @throws RookeryError `not_found`; `forbidden` against equal or higher rank, where it is not suspended, and a second time
 */
export function decideErase(state: Account, staff: Staff): AccountEvent[] {
  if (state.state === 'erased') throw forbidden();
  const target = requireBelow(state, staff);
  if (staff && !target.suspended) throw forbidden();
  return erasing(target);
}
