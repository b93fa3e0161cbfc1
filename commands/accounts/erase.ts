import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { forbidden } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { ownersBesides } from '#queries/admin/accounts/index.ts';
import { distinct, executeWithinQuota, type Quota } from '../quotas/index.ts';
import { type Account, account, type ExistingAccount, requireUser } from './account.ts';
import { requireBelow, type Staff } from './moderate.ts';

/**
 * Decides the erasure of an account. The reactor `erasures` does the rest (`commands/erasure`), in any
 * process. The account's tokens stop working immediately.
 * @throws RookeryError as `decideErase`
 */
export async function eraseAccount(ctx: CommandContext, accountId: Id, staff: Staff): Promise<void> {
  await ctx.execute(accountStream(accountId), account, (state) => decideErase(state, staff));
  await finish(ctx, accountId);
}

/**
 * Does the same for the user's own account. The caller has checked the password.
 * @throws RookeryError as `decideEraseOwn`; `forbidden` for the last owner
 */
export async function eraseOwnAccount(ctx: CommandContext, accountId: Id): Promise<void> {
  await executeWithinQuota(ctx, {
    stream: accountStream(accountId),
    decider: account,
    decide: decideEraseOwn,
    quota: leavingOwners(ctx),
  });
  await finish(ctx, accountId);
}

/** Tells whether this is the last owner, per the (possibly stale) read model. Shown before the deletion is confirmed. */
export const isLastOwner = async (ctx: CommandContext, accountId: Id): Promise<boolean> =>
  (await ownersBesides(ctx.db, [accountId])) === 0;

/**
 * An owner must remain: without any, the API could not administer the server. If two owners leave at the same
 * time, the claim of the first refuses the second.
 */
const leavingOwners = ({ db }: CommandContext): Quota<Account, number> => ({
  name: 'owners-who-stay',
  ownerId: THE_SERVER,
  taken: (before, after) =>
    before.state === 'exists' && before.user?.role === 'Owner' && after.state === 'erased'
      ? [{ id: before.id }]
      : [],
  held: (leaving) => ownersBesides(db, distinct(leaving)),
  check: (staying) => {
    if (staying === 0) throw forbidden(LAST_OWNER_STAYS);
  },
});

/** No account has this id. */
const THE_SERVER = '0';

/** Revokes the account's tokens. */
async function finish(ctx: CommandContext, accountId: Id): Promise<void> {
  await ctx.services.tokens.revokeAllOf(accountId);
}

/** Pure. @throws RookeryError `not_found` */
export const decideEraseOwn = (state: Account): AccountEvent[] => erasing(requireUser(state).account);

export const LAST_OWNER_STAYS =
  'You are the only owner of this server, so you cannot delete your account here. The operator of the server can give the role to another account, or take it from you.';

/** The account is hidden immediately; its actions are taken back over time. */
const erasing = ({ id, suspended }: ExistingAccount): AccountEvent[] => {
  const data = { account_id: id };
  const erased: AccountEvent = { type: 'AccountErased', data };
  return suspended ? [erased] : [{ type: 'AccountSuspended', data }, erased];
};

/**
 * Staff can erase only suspended accounts, as in Mastodon; the operator's erasure suspends. Pure.
 * @throws RookeryError `not_found`; `forbidden` against equal or higher rank, for an account that is not
 * suspended, and a second time
 */
export function decideErase(state: Account, staff: Staff): AccountEvent[] {
  if (state.state === 'erased') throw forbidden();
  const target = requireBelow(state, staff);
  if (staff && !target.suspended) throw forbidden();
  return erasing(target);
}
