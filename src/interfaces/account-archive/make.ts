import { mailArchiveReady } from '../../../commands/archives/index.ts';
import type { JobRun } from '../../adapters/jobs/handler.ts';
import type { CommandContext } from '../../kernel/context.ts';
import type { Id } from '../../kernel/ids.ts';
import { writeArchive } from './archive.ts';

/**
 * Makes an archive that somebody asked for, and tells him by mail. Begun again, it starts anew, or only sends the mail; who crashes
 * behind the mail sends it twice. What fails for the last time is kept as failed.
 */
export async function makeArchive(ctx: CommandContext, id: Id, { signal, last }: JobRun): Promise<void> {
  const { archives } = ctx.services;
  const asked = await archives.find(id);
  if (asked?.state === 'being_made') {
    try {
      await write(ctx, asked, { signal, last });
    } catch (error) {
      // A process that ends is no failure: somebody goes on.
      if (last && !signal.aborted) await archives.fail(id);
      throw error;
    }
  }
  const made = await archives.find(id);
  if (made?.state !== 'ready' || made.mailed) return;
  await mailArchiveReady(ctx, made);
  await archives.mailed(id);
}

async function write(
  ctx: CommandContext,
  { id, account_id: accountId }: { id: Id; account_id: Id },
  { signal, last: lenient }: JobRun,
): Promise<void> {
  await ctx.services.archives.make(
    id,
    async (place) => (await writeArchive({ ctx, accountId, ...place, lenient, signal })).missing,
    signal,
  );
}
