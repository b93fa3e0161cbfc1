import { unresolvedReports } from '../../queries/reports/index.ts';
import { accountStream, type AccountEvent } from '../../src/events/accounts.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { LARGEST_ID, type Id } from '../../src/kernel/ids.ts';
import { releaseEmail } from '../accounts/index.ts';
import { removeFiles } from '../media/index.ts';
import { takeBack } from './take-back.ts';
import { traces, type Traces } from './traces.ts';

/**
 * Carries an erasure out, from any state that an earlier run left. It first removes data that only the key
 * can find, then the key, so that no process can write in the user's name any more; then the publicly visible
 * data, files, and at last, by `PersonalDataErased`, the rows of read models. The read models must hold the
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
 * Erases an account of another server that was deleted there: undoes its visible acts, then removes the key,
 * and the rows of read models. While reports wait, the key stays: deleting an account must not destroy
 * evidence. The read models must hold the deletion. May be repeated.
 */
export async function eraseGone(ctx: CommandContext, accountId: Id, signal: AbortSignal): Promise<void> {
  await takeBack(ctx, accountId, signal);
  if ((await unresolvedReports(ctx.db, accountId, LARGEST_ID, 1)).length > 0) return;
  await ctx.services.personalData.erase(accountId);
  await ctx.execute(accountStream(accountId), traces, (now) => decideDone(now, accountId), { step: 'done' });
}

/** Decides once, after the erasure was decided. Pure. */
export function decideDone({ ends, done }: Traces, accountId: Id): AccountEvent[] {
  return ends && !done ? [{ type: 'PersonalDataErased', data: { account_id: accountId } }] : [];
}
