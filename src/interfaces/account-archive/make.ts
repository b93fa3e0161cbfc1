import type { JobRun } from '#adapters/jobs/handler.ts';
import { mailArchiveReady } from '#commands/archives/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { writeArchive } from './archive.ts';

/**
 * Makes a requested archive, and mails its owner. A repeat starts anew, or only sends the mail; a crash after
 * the mail sends it twice. The last failure is kept.
 */
export async function makeArchive(ctx: CommandContext, id: Id, { signal, last }: JobRun): Promise<void> {
  const { archives } = ctx.services;
  const asked = await archives.find(id);
  if (asked?.state === 'being_made') {
    try {
      await write(ctx, asked, { signal, last });
    } catch (error) {
      // A stopping process is no failure: another one continues.
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
