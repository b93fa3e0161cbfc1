import type { JobDefinition } from '#adapters/jobs/handler.ts';
import {
  ADDRESS_CHANGE_MAIL,
  mailAddressChange,
  mailAddressLeaves,
  mailPasswordChanged,
  mailPasswordReset,
  mailTwoFactor,
  PASSWORD_RESET_MAIL,
  WRONG_CODE_MAIL,
} from '#commands/accounts/index.ts';
import { UserEmailChangeRequested } from '#events/accounts.ts';
import { UserPasswordReset } from '#events/moderation.ts';
import {
  UserRecoveryCodesReplaced,
  UserRecoveryCodeUsed,
  UserTwoFactorDisabled,
  UserTwoFactorEnabled,
} from '#events/two-factor.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { reactor } from '#kernel/reactor.ts';

/** Mails a link to the new address that a user asked for, and a notice to the present one. */
export const addressChanges = reactor({
  name: 'address-changes',
  on: [UserEmailChangeRequested],
  react: async (ctx, { data }) => {
    // A job, because a user typed the address: a server that refuses it must not count as a failure of this
    // reactor.
    const { account_id } = data;
    await ctx.services.jobs.enqueue(ADDRESS_CHANGE_MAIL, { account_id }, { singletonKey: account_id });
    await mailAddressLeaves(ctx, data);
  },
});

/** Tells the owner of the account that a password was set. */
export const passwordChanges = reactor({
  name: 'password-changes',
  on: [UserPasswordReset],
  react: (ctx, { data }) => mailPasswordChanged(ctx, data.account_id),
});

const TWO_FACTOR_NEWS = {
  UserTwoFactorEnabled: 'enabled',
  UserTwoFactorDisabled: 'disabled',
  UserRecoveryCodesReplaced: 'recovery_codes',
  UserRecoveryCodeUsed: 'recovery_code_used',
} as const;

/** Tells the owner of the account of every change to two-factor sign-in. */
export const twoFactorChanges = reactor({
  name: 'two-factor-changes',
  on: [UserTwoFactorEnabled, UserTwoFactorDisabled, UserRecoveryCodesReplaced, UserRecoveryCodeUsed],
  react: (ctx, { type, data }) => mailTwoFactor(ctx, data.account_id, TWO_FACTOR_NEWS[type]),
});

/** A mail server that is slow with one mail need not delay all others. */
const RUNNING = 4;

/** The data of such a job name the account, if there is one. */
const mailJob = (
  name: string,
  mail: (ctx: CommandContext, accountId: Id) => Promise<void>,
): JobDefinition => ({
  name,
  running: RUNNING,
  work: async (ctx, { account_id }) => {
    if (typeof account_id !== 'string') return;
    await mail(ctx, account_id).catch((error: unknown) => {
      // A retry would only exceed the limit again.
      if (!isRookeryError(error) || error.code !== 'too_many_requests') throw error;
    });
  },
});

/** Mails to addresses that users typed into a page. */
export const addressChangeMails = mailJob(ADDRESS_CHANGE_MAIL, mailAddressChange);
export const passwordResetMails = mailJob(PASSWORD_RESET_MAIL, mailPasswordReset);

/** Warns of a sign-in with the right password and a wrong code. */
export const wrongCodeMails = mailJob(WRONG_CODE_MAIL, (ctx, accountId) =>
  mailTwoFactor(ctx, accountId, 'wrong_code'),
);
