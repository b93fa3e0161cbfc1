import { accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Archive } from '#kernel/services/archives.ts';
import { account } from '../accounts/index.ts';
import { archiveReadyMail } from '../mails/index.ts';

/** Mails the owner of an archive that it is ready. @throws RookeryError `unavailable` */
export async function mailArchiveReady(
  ctx: CommandContext,
  { account_id, expires_at }: Pick<Archive, 'account_id' | 'expires_at'>,
): Promise<void> {
  const state = await ctx.load(accountStream(account_id), account);
  if (state.state !== 'exists' || !state.user) return;
  const { domain, origin } = ctx.instance;
  const until = (expires_at ?? '').slice(0, 10);
  const facts = { domain, username: state.username, until, link: `${origin}/settings/export` };
  await ctx.services.mailer.send({ ...archiveReadyMail(facts), to: state.user.email });
}
