import type { MediaAttachmentData } from '../../src/events/media-attachment.ts';
import type { CommandContext, UserContext } from '../../src/kernel/context.ts';
import { isRookeryError } from '../../src/kernel/errors.ts';
import { claimMedia, releaseMedia } from '../media/index.ts';

/** A context with the owner of the uploads. */
export type OwnerContext = CommandContext & { viewer: Pick<UserContext['viewer'], 'account_id'> };

export interface Claim {
  ids: readonly string[];
  /** The post, or the scheduled one, that is to have them. */
  statusId: string;
  /** The scheduled post that they come from. */
  from?: string;
  /** Sees them before they are attached; what it throws leaves them as they were. */
  check?: (media: MediaAttachmentData[]) => void;
}

/** Attaches uploads for some work; if that is refused, they are free again. @throws RookeryError `invalid` */
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
    // Where the log is away it is not known whether they are in use.
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
