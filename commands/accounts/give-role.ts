import { type AccountEvent, accountStream, type UserRole } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { forbidden } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { rankOf } from '#mastodon/permissions.ts';
import { type Account, account } from './account.ts';
import { requireBelow } from './moderate.ts';
import { decideModify } from './modify-user.ts';

interface RoleChange {
  /** Null takes the role away. */
  role: UserRole | null;
  /** The member of staff who gives it. */
  staff: { role: string | null };
}

/**
 * Gives a user a role in the name of staff, and ends every session and token of the user.
 * @throws RookeryError `not_found`, `forbidden`
 */
export async function giveRole(
  ctx: CommandContext,
  { accountId, ...change }: RoleChange & { accountId: Id },
): Promise<void> {
  const { events } = await ctx.execute(accountStream(accountId), account, (state) =>
    decideGiveRole(state, change),
  );
  if (events.length > 0) await ctx.services.tokens.revokeAllOf(accountId);
}

/**
 * Staff give roles to users below them, up to their own. Pure. @throws RookeryError `not_found`, `forbidden`
 */
export function decideGiveRole(state: Account, { role, staff }: RoleChange): AccountEvent[] {
  requireBelow(state, staff);
  if (rankOf(role) > rankOf(staff.role)) throw forbidden('You cannot give a role above your own');
  return decideModify(state, { role });
}
