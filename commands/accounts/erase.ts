import { accountStream, type AccountEvent } from '../../src/events/accounts.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { forbidden } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { account, type Account } from './account.ts';
import { requireBelow, type Staff } from './moderate.ts';

/**
 * Decides that an account goes for good. The reactor `erasures` does the rest (`commands/erasure`), in this or another process.
 * Nobody is answered with the account's tokens from here on.
 * @throws RookeryError as `decideErase`
 */
export async function eraseAccount(ctx: CommandContext, accountId: Id, staff: Staff): Promise<void> {
  await ctx.execute(accountStream(accountId), account, (state) => decideErase(state, staff));
  await ctx.services.tokens.revokeAllOf(accountId);
  await ctx.settle([MAIN]);
}

/**
 * Staff erase what was suspended before, as in Mastodon; the operator suspends by it. Pure.
 * @throws RookeryError `not_found`; `forbidden` against equal or higher rank, where it is not suspended, and a second time
 */
export function decideErase(state: Account, staff: Staff): AccountEvent[] {
  if (state.state === 'erased') throw forbidden();
  const target = requireBelow(state, staff);
  const data = { account_id: target.id };
  const erased: AccountEvent = { type: 'AccountErased', data };
  if (target.suspended) return [erased];
  if (staff) throw forbidden();
  return [{ type: 'AccountSuspended', data }, erased];
}
