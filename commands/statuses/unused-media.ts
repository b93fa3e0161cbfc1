import { type ScheduledStatusEvent, scheduledStatusStream } from '#events/scheduled-statuses.ts';
import { statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import { reattachMedia, releaseMedia } from '../media/index.ts';
import { postMedia } from './attached-media.ts';

/** The uploads of a scheduled post. */
interface ScheduledMedia {
  accountId: string;
  /** Those that it uses; none once it is cancelled or has failed. */
  now: readonly string[];
  ever: readonly string[];
  /** The post that it became, or failed to become. */
  statusId: string | null;
  isWaiting: boolean;
}

const scheduledMedia: Decider<ScheduledMedia, ScheduledStatusEvent> = {
  initialState: { accountId: '', now: [], ever: [], statusId: null, isWaiting: false },
  evolve(state, { type, data }) {
    switch (type) {
      case 'StatusScheduled':
      case 'ScheduledStatusMediaEdited': {
        const now = data.media.map(({ id }) => id);
        const ever = [...new Set([...state.ever, ...now])];
        return { ...state, accountId: data.account_id, now, ever, isWaiting: true };
      }
      case 'ScheduledStatusPublished':
        return { ...state, statusId: data.status_id, isWaiting: false };
      case 'ScheduledStatusCancelled':
      case 'ScheduledStatusFailed':
        return { ...state, now: [], isWaiting: false };
      case 'ScheduledStatusRescheduled':
        return state;
    }
  },
};

/** Releases uploads from a post, or a scheduled post, that does not use them. May run again. */
export async function releaseUnused(
  ctx: CommandContext,
  ids: readonly string[],
  statusId: string,
): Promise<void> {
  const post = await ctx.load(statusStream(statusId), postMedia);
  const scheduled = await ctx.load(scheduledStatusStream(statusId), scheduledMedia);
  const used = new Set([...(post.deleted ? [] : post.now), ...scheduled.now]);
  const unused = ids.filter((id) => !used.has(id));
  await releaseMedia(ctx, unused, statusId);
}

/**
 * Synchronises the uploads with their scheduled post after a change, its cancellation or its failure: releases
 * those that it no longer uses, attaches its own. May run again.
 */
export async function attachOrReleaseScheduledMedia(ctx: CommandContext, scheduledId: string): Promise<void> {
  const state = await ctx.load(scheduledStatusStream(scheduledId), scheduledMedia);
  const { accountId, now, ever, statusId, isWaiting } = state;
  await releaseUnused(ctx, ever, scheduledId);
  // Its post may have claimed them before it failed.
  if (statusId !== null) await releaseUnused(ctx, ever, statusId);
  if (isWaiting) await reattachMedia(ctx, now, { accountId, statusId: scheduledId });
}
