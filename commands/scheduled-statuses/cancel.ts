import { z } from 'zod';
import { type ScheduledStatusEvent, scheduledStatusStream } from '#events/scheduled-statuses.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { releaseMedia } from '../media/index.ts';
import { mediaIdsOf, requireWaiting, type ScheduledStatus, scheduledStatus } from './scheduled-status.ts';

/**
 * https://docs.joinmastodon.org/methods/scheduled_statuses/#cancel. After a stop, a reactor releases the uploads.
 */
export const cancelScheduledStatus = endpoint({
  method: 'DELETE',
  path: '/api/v1/scheduled_statuses/:id',
  summary: 'Cancel a scheduled status',
  auth: 'user',
  scopes: ['write:statuses'],
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    const stream = scheduledStatusStream(id);
    const state = await ctx.load(stream, scheduledStatus);
    await ctx.execute(stream, scheduledStatus, (current) => decideCancel(current, ctx.viewer.account_id));
    await releaseMedia(ctx, mediaIdsOf(state), id);
    return { json: {} };
  },
});

/** Pure. @throws RookeryError `not_found` */
export function decideCancel(state: ScheduledStatus, accountId: string): ScheduledStatusEvent[] {
  const { id, account_id } = requireWaiting(state, accountId);
  return [{ type: 'ScheduledStatusCancelled', data: { id, account_id } }];
}
