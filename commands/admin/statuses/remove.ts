import { releaseMedia, sealMedia } from '#commands/media/index.ts';
import { mediaEverOf, type Status, status } from '#commands/statuses/index.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

/** The post, its author, and the strike with the reason. */
export interface Target {
  id: Id;
  accountId: Id;
  strikeId: Id;
}

/**
 * Removes a post, with its media, which the reactor `removed-media` seals after a stop. May run again.
 * @throws RookeryError `not_found`
 */
export async function removeStatus(ctx: CommandContext, target: Target): Promise<void> {
  await ctx.execute(statusStream(target.id), status, (state) => decideRemove(state, target));
  await sealRemoved(ctx, target);
}

/** Detaches the media of a removed post from its author and from the web. May run again. */
export async function sealRemoved(
  ctx: CommandContext,
  { id, strikeId }: Omit<Target, 'accountId'>,
): Promise<void> {
  const media = await mediaEverOf(ctx, id);
  await releaseMedia(ctx, media, id);
  for (const each of media) await sealMedia(ctx, each, { statusId: id, strikeId });
}

/**
 * Also removes a post that its author deleted, since its media may still exist. Decides the event once. Pure.
 * @throws RookeryError `not_found` for a post of another account
 */
export function decideRemove(state: Status, { accountId, strikeId }: Target): StatusEvent[] {
  if (state.state === 'none' || state.data.account_id !== accountId) throw notFound();
  const { id, account_id, visibility, in_reply_to_id } = state.data;
  const deleted: StatusEvent[] =
    state.state === 'deleted'
      ? []
      : [{ type: 'StatusDeleted', data: { id, account_id, visibility, in_reply_to_id } }];
  return state.removed
    ? deleted
    : [...deleted, { type: 'StatusRemoved', data: { id, account_id, strike_id: strikeId } }];
}
