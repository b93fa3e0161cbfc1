import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParam, idParams } from '#kernel/input.ts';
import { limitParameter } from '#kernel/paging.ts';
import { adminAlertSchema } from '#mastodon/schemas/index.ts';
import { findAlert, listAlertRows } from './alerts.ts';

const OPERATOR = { method: 'GET', auth: 'user', scopes: ['admin:read'], permission: 'view_devops' } as const;

export const listAlerts = endpoint({
  ...OPERATOR,
  path: '/api/v1/admin/alerts',
  summary: 'View alerts to the operator, the newest first',
  query: z.object({
    state: z.enum(['open', 'resolved'], 'must be open or resolved').optional().describe('Only these.'),
    max_id: idParam.optional().describe('Only alerts with a smaller ID.'),
    limit: limitParameter(40, 200),
  }),
  reply: z.array(adminAlertSchema),
  handler: async ({ db }, { query: { max_id, state, limit } }) => {
    const alerts = await listAlertRows(db, { before: max_id, state, limit });
    const last = alerts.at(-1);
    return { json: alerts, ...(alerts.length === limit && last && { page: { next: { max_id: last.id } } }) };
  },
});

export const showAlert = endpoint({
  ...OPERATOR,
  path: '/api/v1/admin/alerts/:id',
  summary: 'View an alert to the operator',
  params: idParams,
  reply: adminAlertSchema,
  handler: async ({ db }, { params: { id } }) => {
    const alert = await findAlert(db, id);
    if (!alert) throw notFound();
    return { json: alert };
  },
});
