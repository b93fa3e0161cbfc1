import { strikePath, warningMail } from '#commands/mails/index.ts';
import { accountStream } from '#events/accounts.ts';
import { type StrikeAction } from '#events/moderation.ts';
import type { CommandContext } from '#kernel/context.ts';
import { account } from '../account.ts';

/** Notifies a user of an action of staff against their account. @throws RookeryError `unavailable` */
export async function mailWarning(
  ctx: CommandContext,
  { id, account_id, action, text }: { id: string; account_id: string; action: StrikeAction; text: string },
): Promise<void> {
  const state = await ctx.load(accountStream(account_id), account);
  if (state.state !== 'exists' || !state.user) return;
  const { domain, origin } = ctx.instance;
  const link = `${origin}${strikePath(id)}`;
  const mail = warningMail({ domain, username: state.username, action, text, link });
  await ctx.services.mailer.send({ ...mail, to: state.user.email });
}
