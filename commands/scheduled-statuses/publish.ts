import {
  type ScheduledStatusData,
  type ScheduledStatusEvent,
  scheduledStatusStream,
} from '#events/scheduled-statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import { type ScheduledStatus, scheduledStatus } from './scheduled-status.ts';

/**
 * Gives a due scheduled post the id of its post, once. Skips posts that are not due, or no longer scheduled.
 */
export async function claimPublication(ctx: CommandContext, scheduledId: string): Promise<void> {
  const [statusId, pollId] = [ctx.newId(), ctx.newId()];
  await ctx.execute(scheduledStatusStream(scheduledId), scheduledStatus, (state) =>
    decidePublish(state, { now: ctx.now, statusId, pollId }),
  );
}

/** Returns a scheduled post that was claimed for publication; undefined when it failed or never existed. */
export async function publicationOf(
  ctx: CommandContext,
  scheduledId: string,
): Promise<{ data: ScheduledStatusData; statusId: string; pollId: string } | undefined> {
  const state = await ctx.load(scheduledStatusStream(scheduledId), scheduledStatus);
  return state.state === 'published' ? state : undefined;
}

/** Records that the post could not be published. `reason` is an error's message, which is safe to show. */
export async function failPublication(
  ctx: CommandContext,
  scheduledId: string,
  reason: string,
): Promise<void> {
  await ctx.execute(
    scheduledStatusStream(scheduledId),
    scheduledStatus,
    (state) => decideFail(state, reason.slice(0, 1_000)),
    { step: 'fail' },
  );
}

export interface Publish {
  now: string;
  statusId: string;
  pollId: string;
}

/** Pure. */
export function decidePublish(state: ScheduledStatus, publish: Publish): ScheduledStatusEvent[] {
  if (state.state !== 'waiting' || state.data.scheduled_at > publish.now) return [];
  const { id, account_id } = state.data;
  const { now, statusId, pollId } = publish;
  return [
    {
      type: 'ScheduledStatusPublished',
      data: { id, account_id, status_id: statusId, poll_id: pollId, published_at: now },
    },
  ];
}

/** Pure. */
export function decideFail(state: ScheduledStatus, reason: string): ScheduledStatusEvent[] {
  if (state.state !== 'published') return [];
  const { id, account_id } = state.data;
  return [{ type: 'ScheduledStatusFailed', data: { id, account_id, status_id: state.statusId, reason } }];
}
