import { z } from 'zod';
import { type AlertEvent, alertStream } from '#events/alerts.ts';
import type { Decider } from '#kernel/decider.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound, RookeryError } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { adminAlertSchema } from '#mastodon/schemas/index.ts';
import { findAlert } from '#queries/admin/alerts/index.ts';

/** Stream `alert-<id>`: whether the alert is acknowledged. */
export const alertState: Decider<boolean, AlertEvent> = { initialState: false, evolve: () => true };

/** Decides the event. Pure. @throws RookeryError `conflict` for an alert that is acknowledged */
export function decideAcknowledge(isAcknowledged: boolean, data: AlertEvent['data']): AlertEvent[] {
  if (isAcknowledged) throw new RookeryError('conflict', 'This alert is acknowledged already');
  return [{ type: 'AlertAcknowledged', data }];
}

export const acknowledgeAlert = endpoint({
  method: 'POST',
  path: '/api/v1/admin/alerts/:id/acknowledge',
  summary: 'Take care of an alert',
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'view_devops',
  params: idParams,
  body: z.object({
    note: z.string().max(1_000).default('').describe('What is done about it; recorded in the audit log.'),
  }),
  errors: [409],
  reply: adminAlertSchema,
  handler: async (ctx, { params: { id }, body: { note } }) => {
    const alert = await findAlert(ctx.db, id);
    if (!alert) throw notFound();
    const data = { id, name: alert.name, subject: alert.subject, note: note.trim() };
    await ctx.execute(alertStream(id), alertState, (isAcknowledged) =>
      decideAcknowledge(isAcknowledged, data),
    );
    return { json: await findAlert(ctx.db, id) };
  },
});
