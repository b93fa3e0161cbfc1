import type { CommandContext } from '#kernel/context.ts';

export const DELIVER_PUSH = 'push-deliver';

/** One notification for some subscriptions. */
export interface Push {
  notificationId: string;
  subscriptionIds: readonly string[];
  /** The number of postponements while services were unreachable. */
  putOff?: number;
}

/** Queues the job that delivers it, in `after` seconds. A repeat does no harm. */
export const enqueuePush = (
  ctx: CommandContext,
  { notificationId, subscriptionIds, putOff = 0 }: Push,
  after = 0,
): Promise<void> =>
  ctx.services.jobs.enqueue(
    DELIVER_PUSH,
    {
      notification_id: notificationId,
      subscription_ids: [...subscriptionIds],
      ...(putOff > 0 ? { put_off: putOff } : {}),
    },
    { singletonKey: `${notificationId}-${subscriptionIds.join('-')}`, ...(after > 0 ? { after } : {}) },
  );
