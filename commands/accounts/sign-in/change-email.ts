import { addressChangeMail, addressLeavesMail } from '#commands/mails/index.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError, RookeryError } from '#kernel/errors.ts';
import { FieldProblems, TAKEN } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { type Account, account, requireUser } from '../account.ts';
import { problemsWithEmail } from '../blocked-email.ts';
import { emailDigest, isEmailTaken, releaseEmail, reserveEmail } from '../reservations.ts';
import { normalizeEmail, validateEmail } from '../validation.ts';
import { mailLink } from './mailed-link.ts';

/** The kind of the one-time codes, which are valid for a day. */
const CODE = 'address_change';

/** The job that mails the link. */
export const ADDRESS_CHANGE_MAIL = 'address-change-mail';

/** Returns the address of a user, and the unconfirmed new one. @throws RookeryError `not_found` */
export async function addressesOf(
  ctx: CommandContext,
  accountId: Id,
): Promise<{ email: string; wantedEmail: string | null }> {
  const state = await ctx.load(accountStream(accountId), account);
  return requireUser(state).user;
}

/**
 * Requests another address. It takes effect once its link is opened; the reactor `address-changes` sends the
 * mails. The reply does not reveal whether another account has the address: then no link is sent.
 * @throws RookeryError `invalid`
 */
export async function requestEmailChange(ctx: CommandContext, accountId: Id, given: string): Promise<void> {
  const problems = new FieldProblems();
  problems.add('email', ...validateEmail(given));
  problems.throwIfAny();
  const email = normalizeEmail(given) ?? '';
  const unwanted = await problemsWithEmail(ctx, email);
  problems.add('email', ...unwanted.filter((problem) => problem !== TAKEN));
  problems.throwIfAny();
  await ctx.execute(accountStream(accountId), account, (state) => decideRequestEmailChange(state, email));
}

/** Pure. @throws RookeryError `not_found`; `invalid` for the present address */
export function decideRequestEmailChange(state: Account, email: string): AccountEvent[] {
  const { account, user } = requireUser(state);
  if (user.email === email) {
    const problems = new FieldProblems();
    problems.add('email', { error: 'ERR_INVALID', description: 'is the one that you have' });
    problems.throwIfAny();
  }
  return [{ type: 'UserEmailChangeRequested', data: { account_id: account.id, email } }];
}

/**
 * Notifies the present address of the request. Does nothing for an outdated request. @throws RookeryError
 * `unavailable`
 */
export async function mailAddressLeaves(
  ctx: CommandContext,
  { account_id, email }: { account_id: Id; email: string },
): Promise<void> {
  const state = await ctx.load(accountStream(account_id), account);
  if (state.state !== 'exists' || state.user?.wantedEmail !== email) return;
  const { domain, origin } = ctx.instance;
  const link = `${origin}/settings/security`;
  const mail = addressLeavesMail({ domain, username: state.username, email, link });
  await ctx.services.mailer.send({ ...mail, to: state.user.email });
}

/**
 * Mails the link to the new address, unless it belongs to another account or staff blocks it. @throws
 * RookeryError `unavailable`
 */
export async function mailAddressChange(ctx: CommandContext, accountId: Id): Promise<void> {
  const state = await ctx.load(accountStream(accountId), account);
  if (state.state !== 'exists' || !state.user?.wantedEmail) return;
  const { wantedEmail: to } = state.user;
  if (await isEmailTaken(ctx, to, accountId)) return;
  if ((await problemsWithEmail(ctx, to)).length > 0) return;
  const { username } = state;
  const { domain, origin } = ctx.instance;
  await mailLink(ctx, { kind: CODE, accountId, to }, (code) => {
    const link = new URL('/auth/email', origin);
    link.searchParams.set('confirmation_token', code);
    return addressChangeMail({ domain, username, link: link.href });
  });
}

/**
 * Changes the address to the one that a link was sent to. The old one is free, and links sent to it are void.
 * A stop before the change leaves the new address reserved and the link used: the user asks for another one.
 * A stop after it leaves the old address reserved until the account is erased.
 * @throws RookeryError `gone` when the link is too old, was used, or the user wants another address by now
 */
export async function confirmEmailChange(ctx: CommandContext, token: string): Promise<void> {
  const used = await ctx.services.credentials.useCode(CODE, token);
  if (!used) throw staleLink();
  const { accountId, value: email } = used;
  const before = await ctx.load(accountStream(accountId), account);
  decideChangeEmail(before, email);
  if (!(await reserveEmail(ctx, email, accountId))) throw staleLink();
  const { user } = requireUser(before);
  // A mailbox has one reservation, in any spelling.
  const isMoving = emailDigest(ctx, email) !== emailDigest(ctx, user.email);
  try {
    await ctx.execute(accountStream(accountId), account, (state) => decideChangeEmail(state, email));
  } catch (error) {
    if (isMoving && isRookeryError(error) && error.code === 'gone') await releaseEmail(ctx, email, accountId);
    throw error;
  }
  if (isMoving) await releaseEmail(ctx, user.email, accountId);
  await ctx.services.credentials.voidCodes(accountId);
}

/** Pure. @throws RookeryError `gone` */
export function decideChangeEmail(state: Account, email: string): AccountEvent[] {
  if (state.state !== 'exists' || state.user?.wantedEmail !== email) throw staleLink();
  return [{ type: 'UserEmailChanged', data: { account_id: state.id, email, confirmed: true } }];
}

const staleLink = (): RookeryError =>
  new RookeryError('gone', 'This link is too old, was used already, or is of another account by now');
