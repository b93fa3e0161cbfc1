import { accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { account } from '../accounts/index.ts';
import { judgementMail, strikePath } from '../mails/index.ts';
import type { Judgement } from './judge.ts';

/**
 * Mails the author of an appeal the decision and the staff's answer, without their name. @throws RookeryError
 * `unavailable`
 */
export async function mailJudgement(
  ctx: CommandContext,
  { account_id, strike_id, verdict, note }: Judgement & { account_id: Id; strike_id: Id },
): Promise<void> {
  const state = await ctx.load(accountStream(account_id), account);
  if (state.state !== 'exists' || !state.user) return;
  const { domain, origin } = ctx.instance;
  const link = `${origin}${strikePath(strike_id)}`;
  const mail = judgementMail({ domain, username: state.username, verdict, note, link });
  await ctx.services.mailer.send({ ...mail, to: state.user.email });
}
