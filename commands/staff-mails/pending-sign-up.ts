import { accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { account } from '../accounts/index.ts';
import { accountPage, pendingSignUpMail } from '../mails/index.ts';
import { mailStaff } from './mail-staff.ts';

/**
 * Mails a waiting sign-up to the staff who manage users. Does nothing while the address is unconfirmed, or
 * after a decision. @throws as `mailStaff`
 */
export async function mailPendingSignUp(ctx: CommandContext, accountId: Id): Promise<void> {
  const state = await ctx.load(accountStream(accountId), account);
  if (state.state !== 'exists' || !state.user?.confirmed || state.user.approved) return;
  const { domain, origin } = ctx.instance;
  const link = `${origin}${accountPage(accountId)}`;
  const mail = pendingSignUpMail({ domain, origin, username: state.username, link });
  await mailStaff(ctx, 'manage_users', mail);
}
