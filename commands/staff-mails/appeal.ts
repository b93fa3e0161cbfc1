import { accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { appealOf, judgesOf } from '#queries/admin/appeals/index.ts';
import { account } from '../accounts/index.ts';
import { appealMail, appealPage } from '../mails/index.ts';
import { mailEach } from './mail-staff.ts';

/**
 * Mails a waiting appeal to the staff who may decide it: not to the author of the strike, unless there is no
 * other. Does nothing for a decided one. The read models must hold it. @throws as `mailStaff`
 */
export async function mailAppeal(ctx: CommandContext, id: Id): Promise<void> {
  const appeal = await appealOf(ctx.db, id);
  if (appeal?.state !== 'pending') return;
  const state = await ctx.load(accountStream(appeal.account_id), account);
  if (state.state !== 'exists' || !state.user) return;
  const judges = await judgesOf(ctx.db, state.user.role);
  const others = judges.filter(({ account_id }) => account_id !== appeal.imposed_by);
  const { domain, origin } = ctx.instance;
  const link = `${origin}${appealPage(id)}`;
  const mail = appealMail({ domain, id, username: state.username, action: appeal.action, link });
  await mailEach(
    ctx,
    (others.length > 0 ? others : judges).map(({ email }) => email),
    mail,
  );
}
