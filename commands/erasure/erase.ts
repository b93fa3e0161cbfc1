import { unresolvedReports } from '../../queries/reports/index.ts';
import { accountStream, type AccountEvent } from '../../src/events/accounts.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { LARGEST_ID, type Id } from '../../src/kernel/ids.ts';
import { releaseEmail } from '../accounts/index.ts';
import { removeFiles } from '../media/index.ts';
import { takeBack } from './take-back.ts';
import { traces, type Traces } from './traces.ts';

/**
 * Carries an erasure out, from whatever a run before it left. First goes what the key is needed to find, then the key, so that
 * nobody can write in the person's name any more; then what others could see, files, and at last, by `PersonalDataErased`, what read
 * models hold. The read models must hold the decision.
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
 * The same for an account of another server that is gone there: what others could see is taken back, then the key goes, and what read
 * models hold. Reports that wait need what it wrote, so as long as there are any, the key stays: nobody gets rid of evidence by
 * deleting his account. The read models must hold that it is gone. May be repeated.
 */
export async function eraseGone(ctx: CommandContext, accountId: Id, signal: AbortSignal): Promise<void> {
  await takeBack(ctx, accountId, signal);
  if ((await unresolvedReports(ctx.db, accountId, LARGEST_ID, 1)).length > 0) return;
  await ctx.services.personalData.erase(accountId);
  await ctx.execute(accountStream(accountId), traces, (now) => decideDone(now, accountId), { step: 'done' });
}

/** Once, after somebody decided it. Pure. */
export function decideDone({ ends, done }: Traces, accountId: Id): AccountEvent[] {
  return ends && !done ? [{ type: 'PersonalDataErased', data: { account_id: accountId } }] : [];
}
