import { type AccountEvent, accountStream, type UserRole } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { FieldProblems, TAKEN } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { approvedMail } from '../mails/index.ts';
import { type Account, account, requireUser } from './account.ts';
import { emailDigest, releaseEmail, reserveEmail } from './reservations.ts';

/** Changes to a user by staff, or by the user through their mailbox or password. Absent members stay. */
export interface UserChanges {
  /** In the form of `normalizeEmail`. Staff vouches for it: a confirmed user stays confirmed. */
  email?: string;
  confirm?: boolean;
  approve?: boolean;
  disabled?: boolean;
  /** null removes the role. */
  role?: UserRole | null;
  password?: string;
  /** Turns the second factor off for a user who lost it. */
  twoFactor?: false;
}

/**
 * Changes a user, usually on behalf of staff. Another password or role ends every session and token; the
 * tokens of a disabled user rest until the user is enabled again. A new address is reserved before the
 * change, and the old one released after it: a stop leaves one of them reserved, and a repeat completes what
 * comes before the release.
 * @throws RookeryError `not_found`, or `invalid` with ERR_TAKEN
 */
export async function modifyUser(ctx: CommandContext, accountId: Id, changes: UserChanges): Promise<void> {
  const before = await ctx.load(accountStream(accountId), account);
  const { user } = requireUser(before);
  if (changes.email !== undefined && !(await reserveEmail(ctx, changes.email, accountId))) {
    const problems = new FieldProblems();
    problems.add('email', TAKEN);
    problems.throwIfAny();
  }
  if (changes.password !== undefined) await ctx.services.credentials.setPassword(accountId, changes.password);
  const { state, events } = await ctx.execute(accountStream(accountId), account, (current) =>
    decideModify(current, changes),
  );
  if (events.some(({ type }) => ENDS_SESSIONS.has(type))) {
    await ctx.services.tokens.revokeAllOf(accountId);
  }
  if (changes.disabled !== undefined) await forgetTokens(ctx, accountId);
  if (changes.email !== undefined && emailDigest(ctx, changes.email) !== emailDigest(ctx, user.email)) {
    await releaseEmail(ctx, user.email, accountId);
    await ctx.services.credentials.voidCodes(accountId);
  }
  if (events.some(({ type }) => type === 'UserApproved')) await tryTellApproved(ctx, state);
}

/** Clears the cached tokens of the account, once the read models contain the change. */
export async function forgetTokens(ctx: CommandContext, accountId: Id): Promise<void> {
  await ctx.waitForReadModels();
  ctx.services.tokens.forget(accountId);
}

const ENDS_SESSIONS: ReadonlySet<string> = new Set(['UserRoleChanged', 'UserPasswordReset']);

/** Decides only differences; a password always counts as one. Pure. @throws RookeryError `not_found` */
export function decideModify(state: Account, changes: UserChanges): AccountEvent[] {
  const { account, user } = requireUser(state);
  const account_id = account.id;
  const events: AccountEvent[] = [];
  const email = changes.email ?? user.email;
  if (email !== user.email) {
    events.push({ type: 'UserEmailChanged', data: { account_id, email, confirmed: user.confirmed } });
  }
  if (changes.confirm && !user.confirmed) events.push({ type: 'UserConfirmed', data: { account_id, email } });
  if (changes.approve && !user.approved) events.push({ type: 'UserApproved', data: { account_id } });
  if (changes.disabled !== undefined && changes.disabled !== user.disabled) {
    events.push({ type: changes.disabled ? 'UserDisabled' : 'UserEnabled', data: { account_id } });
  }
  if (changes.role !== undefined && changes.role !== user.role) {
    events.push({ type: 'UserRoleChanged', data: { account_id, role: changes.role } });
  }
  if (changes.twoFactor === false && user.twoFactor.state === 'on') {
    events.push({ type: 'UserTwoFactorDisabled', data: { account_id } });
  }
  if (changes.password !== undefined) events.push({ type: 'UserPasswordReset', data: { account_id } });
  return events;
}

/** Ignores an unreachable mail server: the user notices the approval at the next sign-in. */
export async function tryTellApproved(ctx: CommandContext, state: Account): Promise<void> {
  const { account, user } = requireUser(state);
  const { domain, origin: link } = ctx.instance;
  try {
    await ctx.services.mailer.send({
      ...approvedMail({ domain, username: account.username, link }),
      to: user.email,
    });
  } catch (error) {
    if (!isRookeryError(error)) throw error;
  }
}
