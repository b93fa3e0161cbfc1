import { strikePath, warningMail } from '#commands/mails/index.ts';
import { accountStream } from '#events/accounts.ts';
import { type StrikeAction } from '#events/moderation.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { groundsOf } from '#queries/strikes/index.ts';
import { account } from '../account.ts';

export interface Warning {
  /** The id of the strike. */
  id: Id;
  account_id: Id;
  action: StrikeAction;
  text: string;
  report_id: Id | null;
}

/**
 * Notifies a user of an action of staff against their account, and records the mail as it was sent.
 * @throws RookeryError `unavailable`
 */
export async function mailWarning(
  ctx: CommandContext,
  { id, account_id, action, text, report_id }: Warning,
): Promise<void> {
  const state = await ctx.load(accountStream(account_id), account);
  if (state.state !== 'exists' || !state.user) return;
  const { domain, origin } = ctx.instance;
  const link = `${origin}${strikePath(id)}`;
  const grounds = await groundsOf(ctx.db, report_id);
  const mail = warningMail({ domain, username: state.username, action, text, grounds, link });
  await ctx.services.mailer.send({ ...mail, to: state.user.email });
  const { subject, text: sent } = mail;
  await ctx.execute(accountStream(account_id), account, (now) =>
    now.state === 'exists'
      ? [{ type: 'StrikeMailed' as const, data: { strike_id: id, account_id, subject, text: sent } }]
      : [],
  );
}
