import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { type Id, LARGEST_ID } from '#kernel/ids.ts';
import { unresolvedReports } from '#queries/reports/index.ts';
import { releaseEmail } from '../accounts/index.ts';
import { removeFiles } from '../media/index.ts';
import { takeBack } from './take-back.ts';
import { type Traces, traces } from './traces.ts';

/**
 * Completes an erasure, from any state that an earlier run left. It first removes data that only the key can
 * find, then the key, so that no process can write in the user's name any longer; then public data, files,
 * and finally, through `PersonalDataErased`, the rows of read models. The read models must contain the
 * decision.
 */
export async function erase(ctx: CommandContext, accountId: Id, signal: AbortSignal): Promise<void> {
  const stream = accountStream(accountId);
  const state = await ctx.load(stream, traces);
  if (!state.ends || state.done) return;
  const { emails, pictures } = state;
  await Promise.all(emails.map((email) => releaseEmail(ctx, email, accountId)));
  await ctx.services.personalData.forget(accountId, emails);
  await ctx.services.personalData.erase(accountId);
  await takeBack(ctx, accountId, signal);
  await removeFiles(ctx.services, pictures);
  await ctx.execute(stream, traces, (now) => decideDone(now, accountId), { step: 'done' });
}

/**
 * Erases a remote account that its server deleted: undoes its visible actions, then removes the key and the
 * rows of read models. The key stays while reports are open, because deleting an account must not destroy
 * evidence. The read models must contain the deletion. May run again.
 */
export async function eraseGone(ctx: CommandContext, accountId: Id, signal: AbortSignal): Promise<void> {
  await takeBack(ctx, accountId, signal);
  if ((await unresolvedReports(ctx.db, accountId, LARGEST_ID, 1)).length > 0) return;
  await ctx.services.personalData.erase(accountId);
  await ctx.execute(accountStream(accountId), traces, (now) => decideDone(now, accountId), { step: 'done' });
}

/** Decides once, after the decision to erase. Pure. */
export function decideDone({ ends, done }: Traces, accountId: Id): AccountEvent[] {
  return ends && !done ? [{ type: 'PersonalDataErased', data: { account_id: accountId } }] : [];
}
