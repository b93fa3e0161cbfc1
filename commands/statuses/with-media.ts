import type { MediaAttachmentData } from '#events/media-attachment.ts';
import type { CommandContext, UserContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { claimMedia, releaseMedia } from '../media/index.ts';

/** A context with the owner of the uploads. */
export type OwnerContext = CommandContext & { viewer: Pick<UserContext['viewer'], 'account_id'> };

export interface Claim {
  ids: readonly string[];
  /** The post, or scheduled post, that uses them. */
  statusId: string;
  /** The scheduled post that they come from. */
  from?: string;
  /** Called before they are attached; if it throws, they stay unchanged. */
  check?: (media: MediaAttachmentData[]) => void;
}

/**
 * Attaches uploads for some work, and releases them when it is refused. A stop in between leaves them
 * attached for a day, as `claimMedia` says.
 * @throws RookeryError `invalid`
 */
export async function withMedia<T>(
  ctx: OwnerContext,
  { ids, statusId, ...claim }: Claim,
  work: (media: MediaAttachmentData[]) => Promise<T>,
): Promise<T> {
  if (ids.length === 0) return work([]);
  const media = await claimMedia(ctx, ids, statusId, claim);
  try {
    return await work(media);
  } catch (error) {
    // During an outage of the log it is unknown whether they are in use.
    if (isRookeryError(error) && error.code !== 'unavailable') await releaseMedia(ctx, ids, statusId);
    throw error;
  }
}

/** Returns a context in a user's name, without a request by them. */
export const onBehalfOf = (ctx: CommandContext, accountId: string): OwnerContext => ({
  now: ctx.now,
  newId: () => ctx.newId(),
  db: ctx.db,
  instance: ctx.instance,
  services: ctx.services,
  execute: (...execution) => ctx.execute(...execution),
  load: (stream, decider) => ctx.load(stream, decider),
  waitForReadModels: (groups) => ctx.waitForReadModels(groups),
  viewer: { account_id: accountId },
});
