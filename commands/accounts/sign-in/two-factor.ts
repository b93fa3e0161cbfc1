import { twoFactorMail, type TwoFactorNews } from '#commands/mails/index.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { type Account, account, requireUser } from '../account.ts';
import { newRecoveryCodes, plainCode, recoveryCodeHash } from './recovery-codes.ts';
import { newTotpSecret, timeStepOf } from './totp.ts';
import type { ActiveTwoFactor } from './two-factor-state.ts';

/** Milliseconds during which a prepared secret can be turned on. */
const PREPARED_FOR = 3_600_000;

export const WRONG_CODE = 'The code is wrong, or was used already.';
const STALE = 'This took too long, or something was changed meanwhile. Please begin again.';
const IS_ON = 'Two-factor sign-in is on already.';
const IS_OFF = 'Two-factor sign-in is not on.';

/**
 * Tells whether sign-in requires a code, and how many recovery codes are left. Reads the log, since a read
 * model may lag. @throws RookeryError `not_found`
 */
export async function twoFactorOf(
  ctx: CommandContext,
  accountId: Id,
): Promise<{ on: boolean; recoveryCodes: number }> {
  const state = await ctx.load(accountStream(accountId), account);
  const { twoFactor } = requireUser(state).user;
  const on = twoFactor.state === 'on';
  return { on, recoveryCodes: on ? twoFactor.recoveryCodes.length : 0 };
}

/**
 * Prepares a secret, which takes effect when the user enters one of its codes within an hour. @returns the
 * secret. @throws RookeryError `invalid`
 */
export async function prepareTwoFactor(ctx: CommandContext, accountId: Id): Promise<string> {
  const secret = newTotpSecret();
  await ctx.execute(accountStream(accountId), account, (state) =>
    decidePrepareTwoFactor(state, { secret, now: ctx.now }),
  );
  return secret;
}

/** Pure. @throws RookeryError `not_found`; `invalid` when it is on */
export function decidePrepareTwoFactor(
  state: Account,
  { secret, now }: { secret: string; now: string },
): AccountEvent[] {
  const { account, user } = requireUser(state);
  if (user.twoFactor.state === 'on') throw invalid(IS_ON);
  return [{ type: 'UserTwoFactorPrepared', data: { account_id: account.id, secret, prepared_at: now } }];
}

/**
 * Turns two-factor sign-in on with a code of the prepared secret. `secret` must be the one that the user
 * sees.
 * @returns the recovery codes, which are stored nowhere. @throws RookeryError `invalid`; `gone` when no
 * secret or another one is prepared
 */
export async function enableTwoFactor(
  ctx: CommandContext,
  accountId: Id,
  { secret, code }: { secret: string; code: string },
): Promise<string[]> {
  const { codes, hashes } = newRecoveryCodes(accountId);
  await ctx.execute(accountStream(accountId), account, (state) =>
    decideEnableTwoFactor(state, { secret, code, recoveryCodes: hashes, now: ctx.now }),
  );
  return codes;
}

/** Pure. @throws RookeryError `not_found`, `invalid`, `gone` */
export function decideEnableTwoFactor(
  state: Account,
  given: { secret: string; code: string; recoveryCodes: string[]; now: string },
): AccountEvent[] {
  const { account, user } = requireUser(state);
  const { twoFactor } = user;
  const { secret, code, recoveryCodes, now } = given;
  if (twoFactor.state === 'on') throw new RookeryError('gone', IS_ON);
  const isThis = twoFactor.state === 'prepared' && twoFactor.secret === secret;
  if (!isThis || Date.parse(now) - Date.parse(twoFactor.preparedAt) > PREPARED_FOR) {
    throw new RookeryError('gone', STALE);
  }
  const step = timeStepOf(secret, plainCode(code), now);
  if (step === undefined) throw invalid(WRONG_CODE);
  const data = { account_id: account.id, secret, time_step: step, recovery_codes: recoveryCodes };
  return [{ type: 'UserTwoFactorEnabled', data }];
}

/**
 * Uses up a code of the app or a recovery code. @throws RookeryError `invalid` for a wrong one; `gone` when
 * it is off
 */
export async function useSecondFactor(ctx: CommandContext, accountId: Id, code: string): Promise<void> {
  await ctx.execute(accountStream(accountId), account, (state) =>
    decideUseSecondFactor(state, { code, now: ctx.now }),
  );
}

/** Pure. @throws RookeryError `not_found`, `invalid`, `gone` */
export function decideUseSecondFactor(
  state: Account,
  { code, now }: { code: string; now: string },
): AccountEvent[] {
  const { account, user } = requireUser(state);
  if (user.twoFactor.state !== 'on') throw new RookeryError('gone', IS_OFF);
  return [requireCode(account.id, user.twoFactor, { code: plainCode(code), now })];
}

/** Turns it off with a code. The caller has checked the password. @throws RookeryError `invalid` */
export async function disableTwoFactor(ctx: CommandContext, accountId: Id, code: string): Promise<void> {
  await ctx.execute(accountStream(accountId), account, (state) =>
    decideDisableTwoFactor(state, { code, now: ctx.now }),
  );
}

/**
 * The code is not recorded as used, since none counts any longer. Pure. @throws RookeryError `not_found`,
 * `invalid`
 */
export function decideDisableTwoFactor(
  state: Account,
  { code, now }: { code: string; now: string },
): AccountEvent[] {
  const { account, user } = requireUser(state);
  if (user.twoFactor.state !== 'on') throw invalid(IS_OFF);
  requireCode(account.id, user.twoFactor, { code: plainCode(code), now });
  return [{ type: 'UserTwoFactorDisabled', data: { account_id: account.id } }];
}

/**
 * Invalidates all recovery codes. @returns new ones, which are stored nowhere. @throws RookeryError `invalid`
 * when it is off
 */
export async function replaceRecoveryCodes(ctx: CommandContext, accountId: Id): Promise<string[]> {
  const { codes, hashes } = newRecoveryCodes(accountId);
  await ctx.execute(accountStream(accountId), account, (state) => decideReplaceRecoveryCodes(state, hashes));
  return codes;
}

/** Pure. @throws RookeryError `not_found`, `invalid` */
export function decideReplaceRecoveryCodes(state: Account, hashes: string[]): AccountEvent[] {
  const { account, user } = requireUser(state);
  if (user.twoFactor.state !== 'on') throw invalid(IS_OFF);
  return [{ type: 'UserRecoveryCodesReplaced', data: { account_id: account.id, recovery_codes: hashes } }];
}

/** Returns the event of a used code: each counts once, and a code of the app only after earlier ones. */
function requireCode(
  account_id: Id,
  { secret, lastStep, recoveryCodes }: ActiveTwoFactor,
  { code, now }: { code: string; now: string },
): AccountEvent {
  const step = timeStepOf(secret, code, now);
  if (step !== undefined && step > lastStep) {
    return { type: 'UserTwoFactorCodeUsed', data: { account_id, time_step: step } };
  }
  const recovery_code = recoveryCodeHash(account_id, code);
  if (!recoveryCodes.includes(recovery_code)) throw invalid(WRONG_CODE);
  return { type: 'UserRecoveryCodeUsed', data: { account_id, recovery_code } };
}

/** The job that warns of a wrong code. */
export const WRONG_CODE_MAIL = 'wrong-code-mail';

/**
 * Warns the owner that another person knows the password. Uses a job, so that the response does not wait for
 * mail.
 */
export const reportWrongCode = (ctx: CommandContext, accountId: Id): Promise<void> =>
  ctx.services.jobs.enqueue(WRONG_CODE_MAIL, { account_id: accountId });

/**
 * Notifies the owner of a change of the second factor, in case another person changed it. @throws
 * RookeryError `unavailable`
 */
export async function mailTwoFactor(ctx: CommandContext, accountId: Id, news: TwoFactorNews): Promise<void> {
  const state = await ctx.load(accountStream(accountId), account);
  if (state.state !== 'exists' || !state.user) return;
  const { username, user } = state;
  const left = user.twoFactor.state === 'on' ? user.twoFactor.recoveryCodes.length : 0;
  const { domain, origin } = ctx.instance;
  const mail = twoFactorMail({ domain, username, news, left, link: `${origin}/settings/security` });
  await ctx.services.mailer.send({ ...mail, to: user.email });
}
