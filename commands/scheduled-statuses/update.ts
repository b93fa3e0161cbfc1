import { z } from 'zod';
import { type ScheduledStatusEvent, scheduledStatusStream } from '#events/scheduled-statuses.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { requiredMoment } from '#kernel/moments.ts';
import { scheduledStatusSchema } from '#mastodon/schemas/index.ts';
import { scheduledStatusText } from '#queries/scheduled-statuses/index.ts';
import { executeWithinQuota } from '../quotas/index.ts';
import { editMedia, mediaChanges } from './edit-media.ts';
import { checkMoment, scheduledQuota } from './schedule.ts';
import { requireWaiting, type ScheduledStatus, scheduledStatus } from './scheduled-status.ts';

/**
 * https://docs.joinmastodon.org/methods/scheduled_statuses/#update. A stop in between leaves the new time
 * with the old media; a repeat completes the change.
 */
export const updateScheduledStatus = endpoint({
  method: 'PUT',
  path: '/api/v1/scheduled_statuses/:id',
  summary: 'Publish a scheduled status at another time, or with other media',
  auth: 'user',
  scopes: ['write:statuses'],
  params: idParams,
  body: z.object({
    scheduled_at: z
      .string()
      .max(100)
      .nullable()
      .optional()
      .describe('The time of publication in ISO 8601, more than five minutes from now; absent, it stays.'),
    ...mediaChanges,
  }),
  reply: scheduledStatusSchema,
  handler: async (ctx, { params: { id }, body }) => {
    const me = ctx.viewer.account_id;
    const at = body.scheduled_at
      ? requiredMoment(body.scheduled_at, {
          now: ctx.now,
          refusal: 'Validation failed: Scheduled at is invalid',
        })
      : undefined;
    const command = { accountId: me, now: ctx.now, at };
    await executeWithinQuota(ctx, {
      stream: scheduledStatusStream(id),
      decider: scheduledStatus,
      decide: (state) => decideReschedule(state, command),
      quota: scheduledQuota(ctx.db, me, { at: at ?? ctx.now, isNew: false }),
    });
    await editMedia(ctx, id, body);
    return { text: await scheduledStatusText(ctx, id) };
  },
});

export interface Reschedule {
  accountId: string;
  now: string;
  /** Undefined: the time stays. */
  at: string | undefined;
}

/** Pure. @throws RookeryError `not_found`, `invalid` */
export function decideReschedule(
  state: ScheduledStatus,
  { accountId, now, at }: Reschedule,
): ScheduledStatusEvent[] {
  const { id, account_id, scheduled_at } = requireWaiting(state, accountId);
  if (at === undefined || at === scheduled_at) return [];
  checkMoment(at, now);
  return [{ type: 'ScheduledStatusRescheduled', data: { id, account_id, scheduled_at: at } }];
}
