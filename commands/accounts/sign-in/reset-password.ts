import { passwordChangedMail, passwordResetMail } from '#commands/mails/index.ts';
import { accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { accountIdOfAddress } from '#queries/accounts/index.ts';
import { type Account, account, type ExistingAccount, requireUser, type User } from '../account.ts';
import { modifyUser } from '../modify-user.ts';
import { validatePassword } from '../validation.ts';
import { trySendConfirmation } from './confirmation.ts';
import { mailLink } from './mailed-link.ts';

/** The kind of the one-time codes, which are valid for six hours, as in Mastodon. */
const CODE = 'reset_password';

/** The job that mails the link. */
export const PASSWORD_RESET_MAIL = 'password-reset-mail';

/**
 * Mails a link for a new password to the user with this address. Without a user it queues a job that does
 * nothing, so the response time does not reveal the users.
 */
export async function requestPasswordReset(ctx: CommandContext, email: string): Promise<void> {
  const accountId = (await accountIdOfAddress(ctx.db, email)) ?? null;
  await ctx.services.jobs.enqueue(PASSWORD_RESET_MAIL, { account_id: accountId });
}

/**
 * Mails the link. The token is made only now, so that only its hash is stored. @throws RookeryError
 * `unavailable`
 */
export async function mailPasswordReset(ctx: CommandContext, accountId: Id): Promise<void> {
  const state = await ctx.load(accountStream(accountId), account);
  if (state.state !== 'exists' || !state.user) return;
  const { username, user } = state;
  const { domain, origin } = ctx.instance;
  await mailLink(ctx, { kind: CODE, accountId, to: user.email }, (code) => {
    const link = new URL('/auth/password/edit', origin);
    link.searchParams.set('reset_password_token', code);
    return passwordResetMail({ domain, username, link: link.href });
  });
}

/**
 * Notifies the owner of the changed password, in case another person changed it. @throws RookeryError
 * `unavailable`
 */
export async function mailPasswordChanged(ctx: CommandContext, accountId: Id): Promise<void> {
  const state = await ctx.load(accountStream(accountId), account);
  if (state.state !== 'exists' || !state.user) return;
  const { domain, origin } = ctx.instance;
  const mail = passwordChangedMail({ domain, username: state.username, link: `${origin}/auth/password/new` });
  await ctx.services.mailer.send({ ...mail, to: state.user.email });
}

/** Tells whether a link is still valid. */
export const canResetPassword = (ctx: CommandContext, token: string): Promise<boolean> =>
  ctx.services.credentials.hasCode(CODE, token);

/**
 * Sets the password through a mailed link, once. Ends all sessions and tokens. An unacceptable password
 * leaves the link valid. A user with an unconfirmed address gets a fresh link for it.
 * @throws RookeryError `invalid`; `gone` when the link is too old, was used or replaced, or was sent to a former address
 */
export async function resetPassword(
  ctx: CommandContext,
  { token, password }: { token: string; password: string },
): Promise<void> {
  requireGoodPassword(password);
  const used = await ctx.services.credentials.useCode(CODE, token);
  if (!used) throw staleLink();
  const { accountId } = used;
  const state = await ctx.load(accountStream(accountId), account);
  const { account: mine, user } = requireOwner(state, used.value);
  await modifyUser(ctx, accountId, { password });
  if (!user.confirmed) {
    await trySendConfirmation(ctx, { accountId, username: mine.username, email: user.email });
  }
}

/**
 * Changes the password of a user who gave the old one. Ends all sessions and tokens. @throws RookeryError
 * `invalid`
 */
export async function changePassword(ctx: CommandContext, accountId: Id, password: string): Promise<void> {
  requireGoodPassword(password);
  await modifyUser(ctx, accountId, { password });
}

/**
 * Returns the account, if it still has the address that the link was sent to. Pure. @throws RookeryError
 * `gone`
 */
export function requireOwner(state: Account, email: string): { account: ExistingAccount; user: User } {
  if (state.state !== 'exists' || state.user?.email !== email) throw staleLink();
  return requireUser(state);
}

function requireGoodPassword(password: string): void {
  const problems = new FieldProblems();
  problems.add('password', ...validatePassword(password));
  problems.throwIfAny();
}

const staleLink = (): RookeryError => new RookeryError('gone', 'This link is too old, or was used already');
