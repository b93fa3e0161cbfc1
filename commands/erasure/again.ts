import { accountStream } from '#events/accounts.ts';
import { ipBlockIn } from '#events/ip-blocks.ts';
import type { CommandContext } from '#kernel/context.ts';
import { rangeOfKey } from '#queries/admin/ip-blocks/index.ts';
import { account, eraseAccount } from '../accounts/index.ts';
import { unblockRange } from '../admin/ip-blocks/index.ts';
import { erase } from './erase.ts';

/**
 * Repeats an erasure that is newer than the backup being restored. An unknown subject is not in the backup.
 * May run again.
 * @param subject of a destroyed key: an account, or a lifted block of addresses
 */
export async function eraseAgain(ctx: CommandContext, subject: string, signal: AbortSignal): Promise<void> {
  const block = ipBlockIn(subject);
  if (block === undefined) await eraseAccountAgain(ctx, subject, signal);
  else {
    const range = await rangeOfKey(ctx.db, block);
    if (range !== undefined) await unblockRange(ctx, range);
  }
  await ctx.services.personalData.erase(subject);
}

async function eraseAccountAgain(ctx: CommandContext, accountId: string, signal: AbortSignal): Promise<void> {
  const state = await ctx.load(accountStream(accountId), account);
  if (state.state === 'exists') await eraseAccount(ctx, accountId, undefined);
  await erase(ctx, accountId, signal);
}
