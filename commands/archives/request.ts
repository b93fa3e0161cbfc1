import type { CommandContext } from '../../src/kernel/context.ts';
import { invalid } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { ARCHIVE_DAYS } from '../../src/mastodon/portability.ts';
import { readableMinute } from '../../src/kernel/time.ts';

/** Of jobs that make archives; they say which one by `archive_id`. */
export const ARCHIVE_JOB = 'account-archive';

/**
 * Has the archive of an account of ours made, in the background: one at a time, and one in seven days, unless it could not be made. It
 * is in no log: nothing of what is here changes by it, and only its owner comes by it.
 * @throws RookeryError `invalid` where it is too early for one
 */
export async function requestArchive(ctx: CommandContext, accountId: Id): Promise<void> {
  const { archives } = ctx.services;
  const id = ctx.newId();
  if (await archives.request(id, accountId)) return enqueueArchive(ctx, id);
  const there = await archives.of(accountId);
  if (!there || there.state === 'being_made') throw invalid('Your archive is being made already');
  throw invalid(
    `You can request an archive once in ${ARCHIVE_DAYS} days, the next one from ${readableMinute(there.next_at)} on`,
  );
}

const enqueueArchive = (ctx: CommandContext, id: Id): Promise<void> =>
  ctx.services.jobs.enqueue(ARCHIVE_JOB, { archive_id: id }, { singletonKey: id });

/** Removes archives that are too old, and goes on with those that a crash left with nobody. */
export async function tidyArchives(ctx: CommandContext): Promise<void> {
  const left = await ctx.services.archives.tidy();
  await Promise.all(left.map((id) => enqueueArchive(ctx, id)));
}
