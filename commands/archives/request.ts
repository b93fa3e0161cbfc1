import type { CommandContext } from '#kernel/context.ts';
import { invalid } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { readableMinute } from '#kernel/time.ts';
import { ARCHIVE_DAYS } from '#mastodon/portability.ts';

/** The name of jobs that make archives; `archive_id` names the archive. */
export const ARCHIVE_JOB = 'account-archive';

/**
 * Requests the archive of a local account, made in the background: one at a time, and one in seven days,
 * unless it failed. The request is not in the log, because it changes nothing and concerns only its owner.
 * @throws RookeryError `invalid` when it is too early
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

/** Removes old archives, and continues those that a crash abandoned. */
export async function tidyArchives(ctx: CommandContext): Promise<void> {
  const left = await ctx.services.archives.tidy();
  await Promise.all(left.map((id) => enqueueArchive(ctx, id)));
}
